import { isDeviceKey } from "@mulkko/shared/rules/device-keys";
import type { AlarmSource, SourceDeps } from "./alarm-source.ts";

/** ms for which a clock must be wrong: many devices state a wrong time once, before they have set their clock. */
export const CLOCK_WRONG_MS = 10 * 60_000;

/** Raise an alarm for each device whose clock stays wrong (ORD-2), one for a controller with all its channels. */
export function createClockAlarms({ sink, state, clock, timers }: SourceDeps): AlarmSource {
  // Bounded by the account's devices.
  const waiting = new Map<string, { cancel(): void }>();
  const stopWaiting = (key: string): void => {
    waiting.get(key)?.cancel();
    waiting.delete(key);
  };
  const look = (key: string): void => {
    stopWaiting(key);
    const since = state.get(key)?.clockWrongSince;
    if (typeof since !== "string") {
      sink.clear(key, "clock-wrong");
      return;
    }
    const remaining = Math.min(CLOCK_WRONG_MS, Date.parse(since) + CLOCK_WRONG_MS - clock.now());
    if (remaining <= 0) sink.hold(key, "clock-wrong", { priority: 3, detail: { since } });
    else
      waiting.set(
        key,
        timers.after(remaining, () => look(key)),
      );
  };
  return {
    changed(key, fields) {
      if (isDeviceKey(key) && (fields === undefined || "clockWrongSince" in fields)) look(key);
    },
    close() {
      for (const key of [...waiting.keys()]) stopWaiting(key);
    },
  };
}
