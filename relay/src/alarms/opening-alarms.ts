import { Modes } from "@mulkko/shared/live/devices";
import { Watering, type WateringCause } from "@mulkko/shared/live/watering";
import { parse } from "@mulkko/shared/schema/parse";
import { judgeOpening } from "../core/opening-alarm.ts";
import type { StateValue } from "../ports.ts";
import type { AlarmSource, SourceParts } from "./alarm-source.ts";

export interface OpeningAlarmsParts extends SourceParts {
  /** Hard cap of a controller's runs, ms (RUN-1). */
  readonly capMs: (controllerId: string) => number;
}

/** A valve that is open. Moments are on the clock that does not jump (RUN-4). */
interface Opened {
  readonly watering: Watering;
  readonly start: number;
  /** End of the run as it was said last; it stands while a close is under way. */
  end: { readonly said: string; readonly at: number } | null;
  timer: { cancel(): void } | undefined;
}

/** A timer of Node's holds 24 days at most. */
const LOOK_AGAIN_MS = 24 * 3_600_000;

function modeMs(cause: WateringCause, raw: unknown): number | null {
  const modes = parse(Modes, raw);
  if (!modes.ok || cause === "person" || cause === "external") return null;
  const minutes = modes.value[cause]?.wateringDuration;
  return minutes === undefined ? null : minutes * 60_000;
}

/** Valves that stay open for longer than they should, each by a timer of its own (RUN-3). */
export function createOpeningAlarms(parts: OpeningAlarmsParts): AlarmSource {
  const { sink, writer, clock, timers } = parts;
  const opened = new Map<string, Opened>();

  const moment = (instant: string): number => clock.monotonic() + Date.parse(instant) - clock.now();
  const over = (channelKey: string): void => {
    opened.get(channelKey)?.timer?.cancel();
    opened.delete(channelKey);
    sink.clear(channelKey, "open-too-long");
    sink.clear(channelKey, "external-open");
  };
  const look = (channelKey: string): void => {
    const one = opened.get(channelKey);
    const channel = writer.get(channelKey);
    if (!one || !channel) return;
    one.timer?.cancel();
    one.timer = undefined;
    const said = channel.runUntil;
    if (typeof said === "string" && said !== one.end?.said) one.end = { said, at: moment(said) };
    const { cause } = one.watering;
    const now = clock.monotonic();
    const verdict = judgeOpening(
      {
        cause,
        start: one.start,
        end: one.end?.at ?? null,
        modeMs: modeMs(cause, channel.modes),
        capMs: parts.capMs(String(channel.controllerId)),
      },
      now,
    );
    const { priority, type, looksAgainAt } = verdict;
    if (priority === null) sink.clear(channelKey, type);
    else sink.hold(channelKey, type, { priority, detail: detailOf(one) });
    if (looksAgainAt === null) return;
    one.timer = timers.after(Math.min(LOOK_AGAIN_MS, Math.max(1, Math.ceil(looksAgainAt - now))), () =>
      look(channelKey),
    );
  };
  const detailOf = ({ watering, end }: Opened) => ({
    cause: watering.cause,
    start: watering.start,
    ...(end && { end: end.said }),
  });
  const takeWatering = (value: StateValue | undefined): void => {
    const parsed = parse(Watering, value);
    if (!parsed.ok) return;
    const watering = parsed.value;
    const channelKey = `channel:${watering.channelId}`;
    const known = opened.get(channelKey);
    if (watering.end !== null) {
      if (known?.watering.id === watering.id) over(channelKey);
      return;
    }
    if (known?.watering.id === watering.id) return;
    known?.timer?.cancel();
    opened.set(channelKey, { watering, start: moment(watering.start), end: null, timer: undefined });
    look(channelKey);
  };

  return {
    changed(key, fields) {
      if (key.startsWith("watering:")) {
        takeWatering(writer.get(key));
      } else if (key.startsWith("channel:")) {
        const channel = writer.get(key);
        if (channel === undefined || channel.onoff === 2) over(key);
        else if (!fields || "runUntil" in fields || "modes" in fields || "onoff" in fields) look(key);
      }
    },
    close() {
      for (const { timer } of opened.values()) timer?.cancel();
    },
  };
}
