import type { CommandState } from "@mulkko/shared/live/devices";

/** One of the three steps of a command, or the one in whose place it ended otherwise. */
export interface CommandStep {
  readonly step: CommandState;
  readonly mark: "done" | "current" | "ahead" | "failed" | "unanswered";
}

/** The steps that are drawn for a state, in their order. */
export function commandSteps(state: CommandState): readonly CommandStep[] {
  switch (state) {
    case "requested":
      return [
        { step: "requested", mark: "current" },
        { step: "accepted", mark: "ahead" },
        { step: "confirmed", mark: "ahead" },
      ];
    case "accepted":
      return [
        { step: "requested", mark: "done" },
        { step: "accepted", mark: "current" },
        { step: "confirmed", mark: "ahead" },
      ];
    case "confirmed":
      return [
        { step: "requested", mark: "done" },
        { step: "accepted", mark: "done" },
        { step: "confirmed", mark: "done" },
      ];
    case "unconfirmed":
      return [
        { step: "requested", mark: "done" },
        { step: "accepted", mark: "done" },
        { step: "unconfirmed", mark: "unanswered" },
      ];
    case "refused":
    case "failed":
    case "superseded":
      return [
        { step: "requested", mark: "done" },
        { step: state, mark: "failed" },
      ];
  }
}
