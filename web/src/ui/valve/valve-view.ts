import type { CommandState } from "@mulkko/shared/live/devices";
import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import type { ValveCode, ValveTarget } from "@mulkko/shared/rules/valve";

/** A valve's two positions. */
export type Position = "open" | "closed";

/** Why a report is drawn as the last one, and not as the present. */
export type Doubt = Exclude<DrawnQuality, "fresh" | "unknown">;

/**
 * Drawn state of a valve. The actual position is only ever what was reported. `live` is false where the report is
 * old or the controller's connection is lost: then nothing has colour, and every line is dashed (ONL-5).
 */
export type ValveView =
  | { kind: "closed"; live: true }
  | { kind: "open"; live: true }
  | { kind: "last"; live: false; actual: Position; why: Doubt }
  | { kind: "opening"; live: boolean; actual: Position | null }
  | { kind: "closing"; live: boolean; actual: Position | null }
  | { kind: "mismatch"; live: boolean; actual: Position | null; commanded: Position }
  | { kind: "unknown"; live: false };

/** The parts of a channel that decide about its drawing. */
export interface ChannelState {
  onoff: ValveCode;
  command: { target: ValveTarget | null; state: CommandState } | null;
  /** The worse of the channel's quality and all connections on the way to it. */
  quality: DrawnQuality | null;
}

const position = (code: ValveCode): Position | null => (code === 1 ? "open" : code === 2 ? "closed" : null);

/**
 * How a channel is drawn (CMD-2): while a command is open, "opening" or "closing" over the reported position; when
 * it went unanswered or failed and the report differs, a mismatch. A report that is not of now is the last report,
 * with its time; one that the relay cannot vouch for is unknown.
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

/** Attributes by which style sheets tell the views apart. */
export function viewMarks({ kind, live }: ValveView): { "data-kind": string; "data-live": boolean } {
  return { "data-kind": kind, "data-live": live };
}
