import type { CommandState } from "@mulkko/shared/live/devices";
import type { Quality } from "@mulkko/shared/rules/quality";
import type { ValveCode, ValveTarget } from "@mulkko/shared/rules/valve";

/** A valve's two positions. */
export type Position = "open" | "closed";

/** What a valve is drawn as. The actual position is only ever what was reported. */
export type ValveView =
  | { kind: "closed" }
  | { kind: "open" }
  | { kind: "opening"; actual: Position | null }
  | { kind: "closing"; actual: Position | null }
  | { kind: "mismatch"; actual: Position | null; commanded: Position }
  | { kind: "unknown" };

/** What of a channel decides about its drawing. */
export interface ChannelState {
  onoff: ValveCode;
  command: { target: ValveTarget | null; state: CommandState } | null;
  quality: Quality | null;
}

const position = (code: ValveCode): Position | null => (code === 1 ? "open" : code === 2 ? "closed" : null);

/**
 * How a channel is drawn (CMD-2): while a command is open, "opening" or "closing" over the reported position; when
 * it went unanswered or failed and the report differs, a mismatch; a position that cannot be believed is unknown.
 */
export function valveView({ onoff, command, quality }: ChannelState): ValveView {
  const actual = position(onoff);
  const commanded = command?.target ? position(command.target) : null;
  if (command && commanded) {
    switch (command.state) {
      case "requested":
      case "accepted":
        return { kind: commanded === "open" ? "opening" : "closing", actual };
      case "unconfirmed":
      case "failed":
        if (actual !== commanded) return { kind: "mismatch", actual, commanded };
        break;
      case "confirmed":
      case "refused":
      case "superseded":
        break;
    }
  }
  if (actual === null || quality === null || quality === "offline" || quality === "unknown")
    return { kind: "unknown" };
  return { kind: actual };
}
