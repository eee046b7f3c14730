import type { ChannelCommand } from "@mulkko/shared/live/devices";
import type { Intent } from "../core/intent.ts";
import type { Seen } from "../core/report-order.ts";
import type { Answer } from "./answers.ts";
import type { CommandLogEntry } from "./command-log-entry.ts";

/** Everything that is remembered of one channel. Only what runs in the turn of its mailbox changes it. */
export interface ChannelState {
  readonly channelKey: string;
  /** The one stored wish (CMD-0), and the log of its command. */
  intent: Intent | null;
  entry: CommandLogEntry | null;
  /** The newest report. */
  seen: Seen | null;
  /** When the controller was last heard, store time. */
  heardAt: number | null;
  /** Of the person who pressed (CRED-2); gone after a restart. */
  token: string | null;
  /** Sends of this intent that were refused or did not leave; a close goes with the other credential then. */
  turnedAway: number;
  /** When a person last pressed Off, store time: what was pressed before it opens nothing (CMD-11). */
  closePressedAt: number | null;
  /** Presses that wait for their turn: what they replace is not sent any more. */
  pressesWaiting: number;
  /** A command that ended in a refusal or failure, shown for a while. */
  lingering: { command: ChannelCommand; until: number } | null;
  /** Callers who wait, by command id. */
  readonly answers: Map<string, Answer>;
  /** The account's lists had the channel, and do not have it any more. */
  isGone: boolean;
  closed: boolean;
}

export function emptyChannel(channelKey: string): ChannelState {
  return {
    channelKey,
    intent: null,
    entry: null,
    seen: null,
    heardAt: null,
    token: null,
    turnedAway: 0,
    closePressedAt: null,
    pressesWaiting: 0,
    lingering: null,
    answers: new Map(),
    isGone: false,
    closed: false,
  };
}
