import { StoredActivity } from "@mulkko/shared/rest/fleet";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { cameBack, type Flip, isSameFlip, wentOffline } from "@mulkko/shared/rules/presence";
import { type Quality, sourceQuality, worseQuality } from "@mulkko/shared/rules/quality";
import Type from "typebox";
import type { LinkMonitor } from "../upstream/link-monitor.ts";
import type { Reception } from "../upstream/reception.ts";
import {
  allowedSilence,
  type Heartbeat,
  judge,
  NEVER_SEEN,
  type Presence,
  type PresenceChange,
  recordHeartbeat,
} from "./presence.ts";

export interface PresenceDeps {
  readonly clock: Clock;
  readonly timers: Timers;
  /** The link to the farm API: no device is better than it allows (ONL-2). */
  readonly link: LinkMonitor;
  readonly reception: Pick<Reception, "isReceivedSince" | "isDoubtful">;
  /** Return the poll interval of the device, ms; null if its messages are received directly. */
  readonly pollInterval: (key: string) => number | null;
  /** Called for a device at the threshold of offline: its unit is to be polled at once. */
  readonly onDue: (key: string) => void;
  readonly onChange: (change: PresenceChange) => void;
  /** Called before the devices are judged again, when values can arrive again after they could not (LINK-3). */
  readonly onSourceBack: () => void;
}

/** The last judgement of a device by the previous owner. Times are ms UTC. */
export interface ShownPresence {
  readonly offline: boolean;
  readonly heardAt: number | null;
  /** Time of the newest measurement; null or absent: none, or the device measures nothing. */
  readonly measuredAt?: number | null;
}

/** The learned rhythm of a device (ONL-2), and the half-hours in which it reported. */
export const PresenceFields = Type.Object({
  /** The newest gaps between reports, ms. */
  gaps: Type.Array(Type.Number(), { maxItems: 16 }),
  offline: Type.Boolean(),
  beats: Type.Optional(StoredActivity),
});

/** The same with the device's key. */
export interface StoredPresence {
  readonly key: string;
  readonly gaps: readonly number[];
  readonly offline: boolean;
  readonly beats?: StoredActivity;
}

interface Watched {
  presence: Presence;
  quality: Quality | null;
  lastFlip: Flip | null;
  reportedOffline: boolean;
  /** True while the device is known to have never reported. */
  silentSoFar: boolean;
  /** False until the first judgement, which is no flip unless another one was stored. */
  judged: boolean;
  /** The device is at the threshold, and the API was asked if it still shows the old log. */
  asked: boolean;
  timer: { cancel(): void } | undefined;
}

/** Times the silence of an account's devices, with one timer per device for its next flip (ONL-1). */
export class PresenceWatch {
  readonly #deps: PresenceDeps;
  readonly #devices = new Map<string, Watched>();
  readonly #restored = new Map<string, StoredPresence>();
  readonly #unsaved = new Set<string>();
  #best: "fresh" | "late" | "offline" | "unknown";
  readonly #stopListening;

  constructor(deps: PresenceDeps) {
    this.#deps = deps;

    this.#best = sourceQuality(this.#deps.link.state);
    this.#stopListening = this.#deps.link.listen((state) => {
      const now = sourceQuality(state);
      if (now === this.#best) return;
      this.#best = now;
      if (now === "fresh") this.#deps.onSourceBack();
      this.review();
    });
  }

  /** Start watching a device from its stored state; `shown` is the previous owner's last judgement. */
  watch(key: string, shown?: ShownPresence): void {
    const { clock } = this.#deps;
    if (this.#devices.has(key)) return;
    const stored = this.#restored.get(key);
    this.#restored.delete(key);
    const device: Watched = {
      presence: { ...NEVER_SEEN, gaps: stored?.gaps ?? [] },
      quality: null,
      lastFlip: null,
      silentSoFar: false,
      reportedOffline: shown?.offline ?? stored?.offline ?? false,
      judged: stored !== undefined || shown !== undefined,
      asked: false,
      timer: undefined,
    };
    this.#devices.set(key, device);
    if (shown?.heardAt == null) return;
    const { heardAt, measuredAt = null } = shown;
    const sign: Heartbeat = { heardAt, regular: false, measuredAt };
    device.presence = recordHeartbeat(device.presence, sign, {
      wall: clock.now(),
      monotonic: clock.monotonic(),
    });
    this.#evaluate(key, device, heardAt);
  }

  restore(kept: readonly StoredPresence[]): void {
    for (const one of kept) this.#restored.set(one.key, one);
  }

  reported(key: string, sign: Heartbeat): void {
    const { clock } = this.#deps;
    const now = { wall: clock.now(), monotonic: clock.monotonic() };
    this.#change(key, (presence) => recordHeartbeat(presence, sign, now), sign.backAt);
  }

  /** The API answered for the device with no newer report. */
  answered(key: string): void {
    this.#change(key, (presence) => ({
      ...presence,
      answeredMonotonic: this.#deps.clock.monotonic(),
      unknown: false,
    }));
  }

  /** The API answered that the device has never reported: its first report is a flip (FLIP-1). */
  silentSoFar(key: string): void {
    const device = this.#devices.get(key);
    if (!device) return;
    if (device.presence.heardAt === null && !device.reportedOffline) device.silentSoFar = true;
    this.#change(key, (presence) => ({
      ...presence,
      answeredMonotonic: this.#deps.clock.monotonic(),
      unknown: false,
    }));
  }

  /** The device cannot be judged (POLL-5, POLL-7) until it reports or the API answers for it. */
  cannotTell(key: string): void {
    this.#change(key, (presence) => ({ ...presence, unknown: true }));
  }

  /**
   * The API could not be asked about the device: at the threshold it becomes unknown, never offline
   * (POLL-7).
   */
  failed(key: string): void {
    const device = this.#devices.get(key);
    if (device?.asked) this.#change(key, (presence) => ({ ...presence, unknown: true }));
  }

  quality(key: string): Quality | null {
    return this.#devices.get(key)?.quality ?? null;
  }

  /** Return the last known flip of a device. */
  lastFlip(key: string): Flip | null {
    return this.#devices.get(key)?.lastFlip ?? null;
  }

  /** Judge every device again, because a condition of silence has changed. */
  review(): void {
    for (const [key, device] of this.#devices) this.#evaluate(key, device, device.presence.heardAt);
  }

  forget(key: string): void {
    this.#devices.get(key)?.timer?.cancel();
    this.#devices.delete(key);
    this.#unsaved.delete(key);
  }

  /** Return the changes since the last call, and the given devices. */
  takeUnpersisted(also: readonly string[] = []): StoredPresence[] {
    const unpersisted = [...new Set([...this.#unsaved, ...also])].flatMap((key): StoredPresence[] => {
      const device = this.#devices.get(key);
      return device ? [{ key, gaps: device.presence.gaps, offline: device.reportedOffline }] : [];
    });
    this.#unsaved.clear();
    return unpersisted;
  }

  close(): void {
    this.#stopListening();
    for (const device of this.#devices.values()) device.timer?.cancel();
    this.#devices.clear();
  }

  /** @param backAt the contact that ended a silence, where it was not the newest one */
  #evaluate(key: string, device: Watched, before: number | null, backAt?: number): void {
    const { reception } = this.#deps;
    device.timer?.cancel();
    device.timer = undefined;
    const { presence } = device;
    const verdict = judge(presence, this.#deps.clock.monotonic(), {
      pollInterval: this.#deps.pollInterval(key),
      trusted: presence.heardAt !== null && reception.isReceivedSince(presence.heardAt),
    });
    // An offline device stays offline while the API is asked: it has not reported.
    const silent = verdict.quality === "offline" || (verdict.asks && device.reportedOffline);
    const judged = silent
      ? reception.isDoubtful(presence.heardAt)
        ? "unknown"
        : "offline"
      : verdict.quality;
    const quality = worseQuality(judged, this.#best);
    if (verdict.changesInMs !== null) {
      device.timer = this.#deps.timers.after(Math.ceil(verdict.changesInMs), () =>
        this.#evaluate(key, device, presence.heardAt),
      );
    }
    let flip: PresenceChange["flip"] = null;
    let lastFlip = device.lastFlip;
    const { heardAt } = presence;
    if (quality === "offline" && heardAt !== null) {
      lastFlip = wentOffline(heardAt, allowedSilence(presence));
      if (!device.reportedOffline) {
        if (device.judged) flip = lastFlip;
        device.reportedOffline = true;
        this.#unsaved.add(key);
      }
    } else if ((quality === "fresh" || quality === "late") && heardAt !== null) {
      if (device.reportedOffline || device.silentSoFar) {
        const last = device.reportedOffline ? before : null;
        const isBetween = backAt !== undefined && last !== null && backAt > last;
        lastFlip = cameBack(isBetween ? Math.min(backAt, heardAt) : heardAt, last);
        flip = lastFlip;
      }
      if (device.reportedOffline) {
        device.reportedOffline = false;
        this.#unsaved.add(key);
      }
    }
    if (heardAt !== null) device.silentSoFar = false;
    // At the threshold the state is unknown until the API's answer, which is the first judgement.
    if (quality !== null && quality !== "unknown" && !verdict.asks) device.judged = true;
    if (quality !== device.quality || flip !== null || !isSameFlip(lastFlip, device.lastFlip)) {
      device.quality = quality;
      device.lastFlip = lastFlip;
      this.#deps.onChange({ key, quality, heardAt, flip, lastFlip });
    }
    const ask = verdict.asks && !device.asked;
    device.asked = verdict.asks;
    if (ask) this.#deps.onDue(key);
  }

  #change(key: string, to: (presence: Presence) => Presence, backAt?: number): void {
    const device = this.#devices.get(key);
    if (!device) return;
    const before = device.presence;
    device.presence = to(before);
    if (device.presence.gaps !== before.gaps) this.#unsaved.add(key);
    this.#evaluate(key, device, before.heardAt, backAt);
  }
}
