import type { CommandState } from "@mulkko/shared/live/devices";
import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import type { ValveCode, ValveTarget } from "@mulkko/shared/rules/valve";

/** The two positions of a valve. */
export type Position = "open" | "closed";

/** Why a report is shown as the last one instead of the current one. */
export type Doubt = Exclude<DrawnQuality, "fresh" | "unknown">;

/**
 * Drawn state of a valve. The actual position is always the reported one. `live` is false if the report is
 * old or the controller's connection is lost: then there is no colour, and all lines are dashed (ONL-5).
 * `unanswered`: a command of this browser has had no answer for seconds (CMD-18).
 */
export type ValveView =
  | { kind: "closed"; live: true }
  | { kind: "open"; live: true }
  | { kind: "last"; live: false; actual: Position; why: Doubt }
  | { kind: "opening"; live: boolean; actual: Position | null; unanswered?: true }
  | { kind: "closing"; live: boolean; actual: Position | null; unanswered?: true }
  | { kind: "mismatch"; live: boolean; actual: Position | null; commanded: Position }
  | { kind: "unknown"; live: false };

/** Fields of a channel that determine its drawn state. */
export interface ChannelState {
  onoff: ValveCode;
  command: { target: ValveTarget | null; state: CommandState } | null;
  /** The worse of the channel's quality and all connections on the way to it. */
  quality: DrawnQuality | null;
}

const position = (code: ValveCode): Position | null => (code === 1 ? "open" : code === 2 ? "closed" : null);

/**
 * Return the drawn state of a channel (CMD-2). An open command shows as "opening" or "closing" over the
 * reported position. An unanswered or failed command with a different report shows as a mismatch. An old
 * report is the last report, with its time; a report that the relay cannot confirm is unknown.
 */
export function valveView({ onoff, command, quality }: ChannelState): ValveView {
  const actual = position(onoff);
  const live = quality === "fresh";
  const commanded = command?.target ? position(command.target) : null;
  if (command && commanded) {
    switch (command.state) {
      case "requested":
      case "accepted":
        return { kind: commanded === "open" ? "opening" : "closing", live, actual };
      case "unconfirmed":
      case "failed":
        if (actual !== commanded) return { kind: "mismatch", live, actual, commanded };
        break;
      case "confirmed":
      case "refused":
      case "superseded":
        break;
    }
  }
  if (actual === null || quality === null || quality === "unknown") return { kind: "unknown", live: false };
  return quality === "fresh"
    ? { kind: actual, live: true }
    : { kind: "last", live: false, actual, why: quality };
}

/** Return the attributes by which style sheets distinguish the views. */
export function viewMarks({ kind, live }: ValveView): { "data-kind": string; "data-live": boolean } {
  return { "data-kind": kind, "data-live": live };
}
