import type { Alarm } from "@mulkko/shared/live/alarm";
import type { CommandEvent } from "@mulkko/shared/live/events";
import type { AlarmSource, SourceParts } from "./alarm-source.ts";

const TYPES = ["command-unconfirmed", "command-failed"] as const;

/** A timer holds at most so many ms. */
const AT_MOST_MS = 24 * 3_600_000;

/**
 * Valves that did not do what they were told, or did not say so (ALM-1): P1, as what is wanted and what is are two
 * things. Over when the state arrives, when somebody gives another command, or when an opening's time has passed.
 */
export function createCommandAlarms({ sink, writer, clock, timers }: SourceParts): AlarmSource {
  const voids = new Map<string, { cancel(): void }>();

  const over = (key: string): void => {
    voids.get(key)?.cancel();
    voids.delete(key);
    for (const type of TYPES) sink.clear(key, type);
  };
  /** An opening that was not carried out is wanted until the end of its run, and no longer. */
  const voidAt = (key: string, until: string): void => {
    voids.get(key)?.cancel();
    const inMs = Math.min(AT_MOST_MS, Math.max(1, Date.parse(until) - clock.now()));
    voids.set(
      key,
      timers.after(inMs, () => over(key)),
    );
  };
  const take = (event: CommandEvent, key: string): void => {
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
      case "accepted":
      case "confirmed":
      case "superseded":
        over(key);
        return;
      case "refused":
        return;
    }
  };
  /** True if the device has said since that it is as it was told. */
  const obeys = ({ detail, raisedAt }: Alarm, key: string): boolean => {
    const channel = writer.get(key);
    const said = channel?.heardAt ?? channel?.at;
    return channel?.onoff === detail?.target && typeof said === "string" && said > raisedAt;
  };

  return {
    event(event) {
      if (event.kind !== "command" || event.target === null || event.channelId === null) return;
      const key = `channel:${event.channelId}`;
      // A valve that is gone from the account has nothing left that a person could do.
      if (writer.get(key) !== undefined) take(event, key);
    },
    changed(key) {
      if (!key.startsWith("channel:")) return;
      for (const type of TYPES) {
        const alarm = sink.active(key, type);
        if (alarm && obeys(alarm, key)) over(key);
      }
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
