import type { Actor } from "@mulkko/shared/live/devices";
import { Watering, type WateringCause } from "@mulkko/shared/live/watering";
import { type Static, Type } from "typebox";
import type { AccountWriter, Timers } from "../ports.ts";
import { channelIdOf, instant } from "./command-log-entry.ts";
import type { DurableWriter } from "./durable-writer.ts";
import type { StoreTime } from "./store-time.ts";

/** A watering with the channel that it runs through. */
export const StoredWatering = Type.Object({ channelKey: Type.String(), watering: Watering });
export type StoredWatering = Static<typeof StoredWatering>;

/** WAT-1: when the soil is asked what the watering did. */
const AFTER_MS = 30 * 60_000;
/** A relay that was down at that moment leaves the answer out. */
const AFTER_LATE_MS = 5 * 60_000;
/** How long a watering stays on the screens. */
export const SHOWN_MS = 24 * 3_600_000;
const SWEEP_MS = 10 * 60_000;
/** Waterings on the screens of one account; beyond it the oldest go. */
const SHOWN_AT_MOST = 1_000;

export interface Beginning {
  readonly cause: WateringCause;
  readonly by: Actor | null;
  /** ms UTC */
  readonly at: number;
}

/** The waterings of an account: begun and ended by what channels report, shown for a day, kept in the store. */
export interface WateringBook {
  /** Takes up what was stored, oldest first. */
  load(stored: readonly StoredWatering[]): void;
  running(channelKey: string): Watering | undefined;
  readonly anyRunning: boolean;
  begin(channelKey: string, beginning: Beginning): void;
  end(channelKey: string, reason: NonNullable<Watering["endReason"]>, at: number): void;
  close(): void;
}

const endedAt = ({ watering }: StoredWatering): number =>
  watering.end === null ? Number.POSITIVE_INFINITY : Date.parse(watering.end);

export function createWateringBook(parts: {
  writer: AccountWriter;
  durable: DurableWriter;
  timers: Timers;
  time: StoreTime;
  newId: () => string;
}): WateringBook {
  const { writer, durable, timers, time, newId } = parts;
  const shown = new Map<string, StoredWatering>();
  const running = new Map<string, StoredWatering>();
  let sweeping: { cancel(): void } | null = null;

  const moistureOf = (channelKey: string): number | null => {
    const moisture = writer.get(channelKey)?.moisture;
    return typeof moisture === "number" ? moisture : null;
  };
  const drop = (id: string): void => {
    shown.delete(id);
    writer.del(`watering:${id}`);
  };
  const show = (stored: StoredWatering): void => {
    const { watering, channelKey } = stored;
    shown.set(watering.id, stored);
    if (watering.end === null) running.set(channelKey, stored);
    else if (running.get(channelKey)?.watering.id === watering.id) running.delete(channelKey);
    writer.set(`watering:${watering.id}`, watering);
    for (const [id, { watering: old }] of shown) {
      if (shown.size <= SHOWN_AT_MOST) break;
      if (old.end !== null) drop(id);
    }
    sweepLater();
  };
  const put = (stored: StoredWatering, told: boolean): void => {
    show(stored);
    const { watering } = stored;
    if (told) writer.event({ kind: "watering", at: watering.end ?? watering.start, watering });
    // What a failing store leaves out is tried again by the writer itself.
    void durable.keep({
      waterings: [{ id: watering.id, at: Date.parse(watering.start), watering: stored }],
    });
  };
  const finish = (stored: StoredWatering, reason: NonNullable<Watering["endReason"]>, at: number): void => {
    const end = instant(Math.max(at, Date.parse(stored.watering.start)));
    put({ ...stored, watering: { ...stored.watering, end, endReason: reason } }, true);
  };

  /** Notes the moisture after, lets old waterings go, and ends those whose channel was taken away. */
  const sweep = (): void => {
    const now = time.now();
    for (const stored of [...shown.values()]) {
      const { watering, channelKey } = stored;
      const age = now - endedAt(stored);
      if (watering.end === null) {
        if (writer.get(channelKey) === undefined) finish(stored, "lost", now);
      } else if (age >= SHOWN_MS) drop(watering.id);
      else if (watering.moistureAfter === null && age >= AFTER_MS && age < AFTER_MS + AFTER_LATE_MS) {
        const moistureAfter = moistureOf(channelKey);
        if (moistureAfter !== null) put({ ...stored, watering: { ...watering, moistureAfter } }, false);
      }
    }
  };
  const nextSweepIn = (): number => {
    const now = time.now();
    let next = SWEEP_MS;
    for (const stored of shown.values()) {
      const due = endedAt(stored) + AFTER_MS - now;
      if (due > 0) next = Math.min(next, due);
    }
    return next;
  };
  function sweepLater(): void {
    sweeping?.cancel();
    sweeping = null;
    if (shown.size === 0) return;
    sweeping = timers.after(nextSweepIn(), () => {
      sweeping = null;
      sweep();
      sweepLater();
    });
  }

  return {
    load(stored) {
      const now = time.now();
      for (const one of stored) if (now - endedAt(one) < SHOWN_MS) show(one);
    },
    running: (channelKey) => running.get(channelKey)?.watering,
    get anyRunning() {
      return running.size > 0;
    },
    begin(channelKey, { cause, by, at }) {
      const watering: Watering = {
        id: newId(),
        channelId: channelIdOf(channelKey),
        cause,
        by,
        start: instant(at),
        end: null,
        endReason: null,
        moistureBefore: moistureOf(channelKey),
        moistureAfter: null,
        litres: null,
      };
      put({ channelKey, watering }, true);
    },
    end(channelKey, reason, at) {
      const stored = running.get(channelKey);
      if (stored) finish(stored, reason, at);
    },
    close() {
      sweeping?.cancel();
      sweeping = null;
    },
  };
}
