import type { Clock } from "@mulkko/shared/rules/clock";
import type { Quality } from "@mulkko/shared/rules/quality";
import { hear, judge, NEVER_HEARD, type Presence, type Sign } from "../core/presence.ts";
import type { Timers } from "../ports/timers.ts";
import type { KeptPresence } from "../store/store.ts";

/** A change of what is said of a device. */
export interface PresenceChange {
  readonly key: string;
  readonly quality: Quality | null;
  /** ms UTC */
  readonly heardAt: number | null;
  /** Set when the device went offline or came back; `last` is when it was heard before (ms UTC). */
  readonly flip: { readonly online: boolean; readonly last: number | null } | null;
}

export interface PresenceParts {
  readonly clock: Clock;
  readonly timers: Timers;
  /** ms between two looks at the device; null where its messages are heard as they come. */
  readonly pollInterval: (key: string) => number | null;
  /** True if the device's messages have been heard without a break since that moment (ms UTC). */
  readonly heardSince: (at: number) => boolean;
  /** ONL-3: the API's times cannot be right, so that nobody is called offline by them. */
  readonly clockSuspect: () => boolean;
  /** POLL-7: the silence of a device that was heard last then (ms UTC) may be the farm API's. */
  readonly doubts: (heardAt: number) => boolean;
  /** The device's unit is to be asked at once: it is at the threshold. */
  readonly ask: (key: string) => void;
  readonly onChange: (change: PresenceChange) => void;
}

/** Times the silence of an account's devices: each flip at its own moment, by a timer of its own (ONL-1). */
export interface PresenceWatch {
  /** Begins with a device, and with what was kept of it; `shown` is what the owner before said of it last. */
  watch(key: string, shown?: { readonly offline: boolean; readonly heardAt: number | null }): void;
  restore(kept: readonly KeptPresence[]): void;
  heard(key: string, sign: Sign): void;
  /** The API was asked about the device and answered, with nothing newer than is known. */
  answered(key: string): void;
  /** It cannot be told how the device is (POLL-5, POLL-7), until it is heard or answered for again. */
  cannotTell(key: string): void;
  /** The API could not be asked about the device: one at the threshold becomes unknown, never offline (POLL-7). */
  failed(key: string): void;
  quality(key: string): Quality | null;
  /** Looks again at every device: what silence is measured against has changed. */
  review(): void;
  forget(key: string): void;
  /** What has changed since it was kept last, and these devices. */
  takeUnkept(also?: readonly string[]): KeptPresence[];
  close(): void;
}

interface Watched {
  presence: Presence;
  quality: Quality | null;
  saidOffline: boolean;
  /** False until the first verdict, which is no flip unless something else was kept. */
  judged: boolean;
  /** It stands at the threshold, and the API was asked whether it still shows the old log. */
  asked: boolean;
  timer: { cancel(): void } | undefined;
}

export function createPresenceWatch(parts: PresenceParts): PresenceWatch {
  const { clock, timers } = parts;
  const devices = new Map<string, Watched>();
  const restored = new Map<string, KeptPresence>();
  const unkept = new Set<string>();

  const evaluate = (key: string, device: Watched, before: number | null): void => {
    device.timer?.cancel();
    device.timer = undefined;
    const { presence } = device;
    const verdict = judge(presence, clock.monotonic(), {
      pollInterval: parts.pollInterval(key),
      trusted: presence.heardAt !== null && parts.heardSince(presence.heardAt),
    });
    // What was called offline stays so while the API is asked: nothing was heard that would be a return.
    const silent = verdict.quality === "offline" || (verdict.asks && device.saidOffline);
    const isDoubtful = parts.clockSuspect() || (presence.heardAt !== null && parts.doubts(presence.heardAt));
    const quality = silent ? (isDoubtful ? "unknown" : "offline") : verdict.quality;
    if (verdict.changesInMs !== null) {
      device.timer = timers.after(Math.ceil(verdict.changesInMs), () =>
        evaluate(key, device, presence.heardAt),
      );
    }
    let flip: PresenceChange["flip"] = null;
    if (quality === "offline" && !device.saidOffline) {
      if (device.judged) flip = { online: false, last: presence.heardAt };
      device.saidOffline = true;
      unkept.add(key);
    } else if ((quality === "fresh" || quality === "late") && device.saidOffline) {
      flip = { online: true, last: before };
      device.saidOffline = false;
      unkept.add(key);
    }
    // At the threshold it is not known yet how it is: what the API answers is the first verdict.
    if (quality !== null && quality !== "unknown" && !verdict.asks) device.judged = true;
    if (quality !== device.quality || flip !== null) {
      device.quality = quality;
      parts.onChange({ key, quality, heardAt: presence.heardAt, flip });
    }
    const ask = verdict.asks && !device.asked;
    device.asked = verdict.asks;
    if (ask) parts.ask(key);
  };
  const change = (key: string, to: (presence: Presence) => Presence): void => {
    const device = devices.get(key);
    if (!device) return;
    const before = device.presence;
    device.presence = to(before);
    if (device.presence.gaps !== before.gaps) unkept.add(key);
    evaluate(key, device, before.heardAt);
  };

  return {
    watch(key, shown) {
      if (devices.has(key)) return;
      const kept = restored.get(key);
      restored.delete(key);
      const device: Watched = {
        presence: { ...NEVER_HEARD, gaps: kept?.gaps ?? [] },
        quality: null,
        saidOffline: shown?.offline ?? kept?.offline ?? false,
        judged: kept !== undefined || shown !== undefined,
        asked: false,
        timer: undefined,
      };
      devices.set(key, device);
      if (shown?.heardAt == null) return;
      const sign: Sign = { heardAt: shown.heardAt, regular: false };
      device.presence = hear(device.presence, sign, { wall: clock.now(), monotonic: clock.monotonic() });
      evaluate(key, device, shown.heardAt);
    },
    restore(kept) {
      for (const one of kept) restored.set(one.key, one);
    },
    heard(key, sign) {
      change(key, (presence) => hear(presence, sign, { wall: clock.now(), monotonic: clock.monotonic() }));
    },
    answered(key) {
      change(key, (presence) => ({ ...presence, answeredMonotonic: clock.monotonic(), unknown: false }));
    },
    cannotTell(key) {
      change(key, (presence) => ({ ...presence, unknown: true }));
    },
    failed(key) {
      const device = devices.get(key);
      if (device?.asked) change(key, (presence) => ({ ...presence, unknown: true }));
    },
    quality: (key) => devices.get(key)?.quality ?? null,
    review() {
      for (const [key, device] of devices) evaluate(key, device, device.presence.heardAt);
    },
    forget(key) {
      devices.get(key)?.timer?.cancel();
      devices.delete(key);
      unkept.delete(key);
    },
    takeUnkept(also = []) {
      const kept = [...new Set([...unkept, ...also])].flatMap((key): KeptPresence[] => {
        const device = devices.get(key);
        return device ? [{ key, gaps: device.presence.gaps, offline: device.saidOffline }] : [];
      });
      unkept.clear();
      return kept;
    },
    close() {
      for (const device of devices.values()) device.timer?.cancel();
      devices.clear();
    },
  };
}
