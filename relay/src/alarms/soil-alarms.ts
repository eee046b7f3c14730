import { Modes } from "@mulkko/shared/entities/modes";
import { Watering } from "@mulkko/shared/live/watering";
import { parse } from "@mulkko/shared/schema/parse";
import type { StateValue } from "../store/streams.ts";
import { isOutOfBounds, madeWetter, RISE_AT_LEAST } from "./alarm-rules.ts";
import type { AlarmSource, SourceDeps } from "./alarm-source.ts";

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

/**
 * Raise alarms for soil too dry or too wet for the active automatic mode, and for soil that a watering did
 * not reach (ALM-1).
 */
export function createSoilAlarms({ sink, state }: SourceDeps): AlarmSource {
  const lookAtBounds = (key: string, channel: StateValue): void => {
    const parsed = parse(Modes, channel.modes);
    const modes = parsed.ok ? parsed.value : null;
    const moisture = numberOf(channel.moisture);
    const out = isOutOfBounds(modes, moisture);
    if (out === false) sink.clear(key, "out-of-bounds");
    if (out !== true) return;
    const { lowerBound = null, upperBound = null } = modes?.automatic ?? {};
    // The channel shows the present value. The alarm keeps the first value while the bounds are the same.
    const present = sink.active(key, "out-of-bounds")?.detail;
    if (present && present.lowerBound === lowerBound && present.upperBound === upperBound) return;
    sink.hold(key, "out-of-bounds", { priority: 2, detail: { moisture, lowerBound, upperBound } });
  };
  const lookAtRise = (key: string, channel: StateValue): void => {
    const before = sink.active(key, "no-rise")?.detail?.before;
    const moisture = numberOf(channel.moisture);
    if (typeof before !== "number" || moisture === null) return;
    if (moisture - before >= RISE_AT_LEAST) sink.clear(key, "no-rise");
  };
  const handleWatering = (watering: Watering): void => {
    const key = `channel:${watering.channelId}`;
    const channel = state.get(key);
    if (!channel) return;
    const modes = parse(Modes, channel.modes);
    const automatic = modes.ok && modes.value.active === "automatic" ? modes.value.automatic : null;
    const wetter = madeWetter(watering, automatic?.upperBound ?? null);
    const { moistureBefore: before, moistureAfter: after } = watering;
    if (wetter === true) sink.clear(key, "no-rise");
    else if (wetter === false) sink.raise(key, "no-rise", { priority: 3, detail: { before, after } });
  };

  return {
    changed(key, fields) {
      if (key.startsWith("watering:")) {
        // Check only when the value arrives: a watering restored after a restart was checked before.
        if (!fields || !("moistureAfter" in fields)) return;
        const watering = parse(Watering, state.get(key));
        if (watering.ok) handleWatering(watering.value);
        return;
      }
      if (!key.startsWith("channel:") || (fields && !("moisture" in fields) && !("modes" in fields))) return;
      const channel = state.get(key);
      if (!channel) return;
      lookAtBounds(key, channel);
      lookAtRise(key, channel);
    },
  };
}
