import type { ValveCode } from "@mulkko/shared/rules/valve";
import { VALVE_OFF, VALVE_ON, VALVE_UNKNOWN } from "@mulkko/shared/rules/valve";
import type { Moment } from "../modes/engine-state.ts";
import { type Kept, LIMIT_SECONDS, type ValveNews } from "./driver.ts";

/** How long after an open was sent a valve's turning is attributed to it, ms. */
const ANSWER_MS = 30_000;

/** Difference of two ends that is one of the valve's clock, ms: CMD-4 allows it 10 s. */
const CLOCK_OFF_MS = 10_000;

/** State of a valve that only opens and closes. It contains only what the valve reported. */
export interface SoftChannel {
  readonly onoff: ValveCode;
  /** ms since 1970 UTC; null where it is closed, or the end is unknown. */
  readonly runUntil: number | null;
  readonly commandId: string | null;
  /** The last open that was sent and is not confirmed. */
  readonly asked: { readonly commandId: string | null; readonly at: Moment; readonly until: number } | null;
  /** The last close that was sent and is not confirmed. */
  readonly closing: { readonly commandId: string | null } | null;
  /** Settings that the valve confirmed. */
  readonly kept: Readonly<Record<Kept, boolean>>;
}

export const NO_NEWS: SoftChannel = {
  onoff: VALVE_UNKNOWN,
  runUntil: null,
  commandId: null,
  asked: null,
  closing: null,
  kept: { "closed-at-power-up": false, limit: false },
};

/** True if the valve stores all required settings. */
export const isLimited = ({ kept }: SoftChannel): boolean => kept["closed-at-power-up"] && kept.limit;

/** True while an open is unconfirmed, so that the valve's report may be older than it. */
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

/** Return the known end of a run where the reported one is the same by a clock that is a little off. */
const sameEnd = (known: number | null, said: number | undefined): number | undefined =>
  known !== null && said !== undefined && Math.abs(said - known) <= CLOCK_OFF_MS ? known : said;

function opened(channel: SoftChannel, secondsLeft: number | null | undefined, moment: Moment): SoftChannel {
  const said = typeof secondsLeft === "number" ? moment.now + secondsLeft * 1_000 : undefined;
  const { asked } = channel;
  if (asked && isAwaited(channel, moment)) {
    const { commandId, until } = asked;
    return { ...channel, onoff: VALVE_ON, commandId, runUntil: sameEnd(until, said) ?? until, asked: null };
  }
  if (channel.onoff === VALVE_ON) {
    // The same run continues.
    const runUntil = sameEnd(channel.runUntil, said) ?? (secondsLeft === null ? null : channel.runUntil);
    return { ...channel, asked: null, runUntil };
  }
  // Opened by another party: its own limit is its only end.
  const limit = isLimited(channel) ? moment.now + LIMIT_SECONDS * 1_000 : null;
  return { ...channel, onoff: VALVE_ON, commandId: null, asked: null, runUntil: said ?? limit };
}

function closed(channel: SoftChannel): SoftChannel {
  const commandId = channel.closing ? channel.closing.commandId : channel.commandId;
  return { ...channel, onoff: VALVE_OFF, commandId, runUntil: null, closing: null };
}

/** Return the channel after a message of the valve. */
export function afterNews(channel: SoftChannel, said: ValveNews, moment: Moment): SoftChannel {
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
