import type { ChannelCommand } from "@mulkko/shared/live/devices";
import type { Seen } from "../account/report-order.ts";
import type { Answer } from "./answers.ts";
import type { CommandLogEntry } from "./command-log-entry.ts";
import type { Intent } from "./intent.ts";

/** The complete state of one channel. Only jobs of its queue change it. */
export interface ChannelState {
  readonly channelKey: string;
  /** The one stored intent (CMD-0), and the log entry of its command. */
  intent: Intent | null;
  entry: CommandLogEntry | null;
  /** The newest report. */
  seen: Seen | null;
  /**
   * Store time at which the controller last reported or another token arrived: a close is sent again (CMD-4).
   */
  heardAt: number | null;
  /**
   * Token of the person who gave the command (CRED-2). Lost at a restart, and dropped once the farm API
   * rejects it.
   */
  token: string | null;
  /**
   * Number of sends of this intent that were rejected or did not leave. A close then uses the other
   * credential.
   */
  turnedAway: number;
  /** Store time of the newest close by a person. Commands given before it open nothing (CMD-11). */
  closePressedAt: number | null;
  /** Number of commands that wait for their turn. The commands that they replace are no longer sent. */
  commandsWaiting: number;
  /** A command that ended in a refusal or failure and is still shown. */
  lingering: { command: ChannelCommand; until: number } | null;
  /** Callers that wait, by command id. */
  readonly answers: Map<string, Answer>;
  /** True once the account's lists have lost the channel. */
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
    commandsWaiting: 0,
    lingering: null,
    answers: new Map(),
    isGone: false,
    closed: false,
  };
}
