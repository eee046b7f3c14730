import { AlarmPriority } from "@mulkko/shared/live/alarm";
import type { CommandEvent, FlipEvent, LiveEvent } from "@mulkko/shared/live/events";
import type { FleetCommandValue, FleetFlip } from "@mulkko/shared/live/fleet";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import { parse } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import type { EventStream, StateValue } from "../store/streams.ts";
import { type AccountReport, COMMANDS_AN_ACCOUNT } from "./account-report.ts";

/** ms for which administrators see a failed or unconfirmed command. */
export const UNCONFIRMED_MS = 24 * 3_600_000;

/** A summary of an account's log: the last flip of each device, and the failed or unconfirmed commands. */
export interface AccountSummary {
  handle(event: LiveEvent): void;
  /**
   * Return the last flip of a device.
   * @param key of `devices`
   */
  flipOf(key: string): FleetFlip | null;
  /**
   * Return the failed and unconfirmed commands.
   * @param now ms UTC
   */
  unconfirmed(now: number): NonNullable<AccountReport["commands"]>;
}

/** An end after which a person has to check the valve. */
type OpenEnd = CommandEvent & Pick<FleetCommandValue, "state">;

const isOpenEnd = (event: CommandEvent): event is OpenEnd =>
  event.state === "unconfirmed" || event.state === "failed";

export function createAccountSummary(): AccountSummary {
  const flips = new Map<string, FlipEvent>();
  const open = new Map<string, OpenEnd>();
  return {
    handle(event) {
      if (event.kind === "flip") flips.set(event.key, event);
      if (event.kind !== "command") return;
      open.delete(event.id);
      if (isOpenEnd(event)) open.set(event.id, event);
    },
    flipOf(key) {
      const flip = flips.get(key);
      return flip ? { at: flip.at, online: flip.online, last: flip.last } : null;
    },
    unconfirmed(now) {
      for (const [id, { at }] of open) if (now - Date.parse(at) > UNCONFIRMED_MS) open.delete(id);
      return [...open.values()].slice(-COMMANDS_AN_ACCOUNT).map((event) => ({
        id: event.id,
        command: event.command,
        controllerId: event.controllerId,
        channelId: event.channelId,
        number: event.number,
        target: event.target,
        state: event.state,
        by: event.by,
        reason: event.reason ?? null,
        at: event.at,
      }));
    },
  };
}

/** Return the complete log, oldest first. A reader may start only where the log is complete. */
export function wholeLog(events: EventStream): LiveEvent[] {
  for (let back: number = LIVE_LIMITS.eventsKept; back > LIVE_LIMITS.eventSnapshot; back >>= 1) {
    const position = { epoch: events.epoch, offset: Math.max(0, events.offset - back) };
    const caught = events.eventsSince(position, LIVE_LIMITS.eventsKept);
    if (caught.kind === "resume") return caught.missed.map(({ event }) => event);
  }
  const caught = events.eventsSince(undefined, LIVE_LIMITS.eventSnapshot);
  return (caught.kind === "snapshot" ? caught.newest : caught.missed).map(({ event }) => event);
}

const Urgency = Type.Object({ priority: AlarmPriority, active: Type.Boolean() });

/**
 * Return the number of an account's active alarms, and the most urgent priority. A cleared alarm that is not
 * acknowledged yet is for its account, not for an administrator.
 */
export function alarmsOf(
  keys: Iterable<string>,
  get: (key: string) => StateValue | undefined,
): NonNullable<AccountReport["alarms"]> {
  let count = 0;
  let worst: AlarmPriority | null = null;
  for (const key of keys) {
    if (!key.startsWith("alarm:")) continue;
    const alarm = parse(Urgency, get(key));
    if (!alarm.ok || !alarm.value.active) continue;
    count += 1;
    if (worst === null || alarm.value.priority < worst) worst = alarm.value.priority;
  }
  return { count, worst };
}
