import type { ValveCode } from "@mulkko/shared/rules/valve";
import { VALVE_OFF, VALVE_ON, VALVE_UNKNOWN } from "@mulkko/shared/rules/valve";
import type { Moment } from "../watering-engine/state.ts";
import { type Heard, type Kept, LIMIT_SECONDS } from "./driver.ts";

/** How long an opening that was sent may still be what turned the valve, ms. */
const ANSWER_MS = 30_000;

/** What is known of a valve that only opens and closes. Nothing here is shown that the valve did not say. */
export interface SoftChannel {
  readonly onoff: ValveCode;
  /** ms since 1970 UTC; null where it is closed, or no end is known. */
  readonly runUntil: number | null;
  readonly commandId: string | null;
  /** The opening that was sent last and not seen yet. */
  readonly asked: { readonly commandId: string | null; readonly at: Moment; readonly until: number } | null;
  /** The close that was sent last and not seen yet. */
  readonly closing: { readonly commandId: string | null } | null;
  /** What the valve said that it keeps by itself. */
  readonly kept: Readonly<Record<Kept, boolean>>;
}

export const UNHEARD: SoftChannel = {
  onoff: VALVE_UNKNOWN,
  runUntil: null,
  commandId: null,
  asked: null,
  closing: null,
  kept: { "closed-at-power-up": false, limit: false },
};

/** Whether the valve keeps by itself all that it was told to. */
export const isLimited = ({ kept }: SoftChannel): boolean => kept["closed-at-power-up"] && kept.limit;

/** Whether an opening is on its way, so that what the valve says now may be older than it. */
export const isAwaited = ({ asked }: SoftChannel, { monotonic }: Moment): boolean =>
  asked !== null && monotonic - asked.at.monotonic < ANSWER_MS;

export const opening = (
  channel: SoftChannel,
  commandId: string | null,
  forMs: number,
  at: Moment,
): SoftChannel => ({ ...channel, asked: { commandId, at, until: at.now + forMs }, closing: null });

export const closing = (channel: SoftChannel, commandId: string | null): SoftChannel => ({
  ...channel,
  asked: null,
  closing: { commandId },
});

function opened(channel: SoftChannel, secondsLeft: number | null | undefined, moment: Moment): SoftChannel {
  const said = typeof secondsLeft === "number" ? moment.now + secondsLeft * 1_000 : undefined;
  const { asked } = channel;
  if (asked && isAwaited(channel, moment)) {
    const { commandId, until } = asked;
    return { ...channel, onoff: VALVE_ON, commandId, runUntil: said ?? until, asked: null };
  }
  if (channel.onoff === VALVE_ON) {
    // The same opening goes on.
    const runUntil = said ?? (secondsLeft === null ? null : channel.runUntil);
    return { ...channel, asked: null, runUntil };
  }
  // Somebody else opened it: its own limit is the only end that it has.
  const limit = isLimited(channel) ? moment.now + LIMIT_SECONDS * 1_000 : null;
  return { ...channel, onoff: VALVE_ON, commandId: null, asked: null, runUntil: said ?? limit };
}

function closed(channel: SoftChannel): SoftChannel {
  const commandId = channel.closing ? channel.closing.commandId : channel.commandId;
  return { ...channel, onoff: VALVE_OFF, commandId, runUntil: null, closing: null };
}

/** The channel after the valve said something of it. */
export function heard(channel: SoftChannel, said: Heard, moment: Moment): SoftChannel {
  switch (said.kind) {
    case "valve":
      return said.isOpen ? opened(channel, said.secondsLeft, moment) : closed(channel);
    case "kept":
      return { ...channel, kept: { ...channel.kept, [said.what]: said.isKept } };
    case "line":
    case "refused":
      return channel;
  }
}
