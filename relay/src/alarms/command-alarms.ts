import type { Alarm } from "@mulkko/shared/live/alarm";
import type { CommandEvent } from "@mulkko/shared/live/events";
import type { AlarmSource, SourceDeps } from "./alarm-source.ts";

const TYPES = ["command-unconfirmed", "command-failed"] as const;

/** Longest time of a timer, ms. */
const AT_MOST_MS = 24 * 3_600_000;
/** Upper bound of channels whose events wait for the lists; a deleted channel's waits for ever. */
const EARLY_AT_MOST = 200;

/**
 * Raise alarms for valves that did not execute or confirm a command (ALM-1): P1, because the requested state
 * and the real one differ. An alarm is over when the state arrives, when another command is given, or when an
 * opening's time has passed. A late opening (CMD-14) is P1 until the valve is reported closed.
 */
export function createCommandAlarms({ sink, state, clock, timers }: SourceDeps): AlarmSource {
  const voids = new Map<string, { cancel(): void }>();
  /**
   * The last event of each channel that is not listed: a start carries on with stored commands before it has read the
   * lists (ALM-8).
   */
  const early = new Map<string, CommandEvent>();

  const keepEarly = (key: string, event: CommandEvent): void => {
    early.delete(key);
    early.set(key, event);
    const [oldest] = early.keys();
    if (early.size > EARLY_AT_MOST && oldest !== undefined) early.delete(oldest);
  };
  const over = (key: string): void => {
    voids.get(key)?.cancel();
    voids.delete(key);
    for (const type of TYPES) sink.clear(key, type);
  };
  /** Clear the alarm of a failed opening at the end of its run. */
  const voidAt = (key: string, until: string): void => {
    voids.get(key)?.cancel();
    const inMs = Math.min(AT_MOST_MS, Math.max(1, Date.parse(until) - clock.now()));
    voids.set(
      key,
      timers.after(inMs, () => over(key)),
    );
  };
  const handleCommand = (event: CommandEvent, key: string): void => {
    switch (event.state) {
      case "unconfirmed":
      case "failed":
        sink.clear(key, event.state === "failed" ? "command-unconfirmed" : "command-failed");
        sink.raise(key, event.state === "failed" ? "command-failed" : "command-unconfirmed", {
          priority: 1,
          detail: {
            commandId: event.id,
            target: event.target,
            reason: event.reason ?? null,
            until: event.runUntil ?? null,
          },
        });
        if (event.target === 1 && event.runUntil !== undefined) voidAt(key, event.runUntil);
        return;
      case "requested":
        over(key);
        if (event.lateOpening) {
          const { pressedAt, by } = event.lateOpening;
          sink.raise(key, "late-opening", { priority: 1, detail: { pressedAt, by: by.nickname } });
        }
        return;
      case "accepted":
      case "confirmed":
      case "superseded":
        over(key);
        return;
      case "refused":
        return;
    }
  };
  /** Return true if the device has since reported the requested state. */
  const obeys = ({ detail, raisedAt }: Alarm, key: string): boolean => {
    const channel = state.get(key);
    const said = channel?.heardAt ?? channel?.at;
    return channel?.onoff === detail?.target && typeof said === "string" && said > raisedAt;
  };

  return {
    event(event) {
      if (event.kind !== "command" || event.target === null || event.channelId === null) return;
      const key = `channel:${event.channelId}`;
      // For a valve that the account no longer has, a person can do nothing.
      if (state.get(key) === undefined) keepEarly(key, event);
      else handleCommand(event, key);
    },
    changed(key) {
      if (!key.startsWith("channel:")) return;
      const before = early.get(key);
      if (before !== undefined && state.get(key) !== undefined) {
        early.delete(key);
        handleCommand(before, key);
      }
      for (const type of TYPES) {
        const alarm = sink.active(key, type);
        if (alarm && obeys(alarm, key)) over(key);
      }
      if (state.get(key)?.onoff === 2) sink.clear(key, "late-opening");
    },
    restored(alarms) {
      for (const { key, type, active, detail } of alarms) {
        if (!active || !TYPES.some((one) => one === type)) continue;
        if (detail?.target === 1 && typeof detail.until === "string") voidAt(key, detail.until);
      }
    },
    close() {
      for (const timer of voids.values()) timer.cancel();
    },
  };
}
