import type { CommandState } from "@mulkko/shared/live/devices";

/** One of a command's three steps, or the different end in its place. */
export interface CommandStep {
  readonly step: CommandState;
  readonly mark: "done" | "current" | "ahead" | "failed" | "unanswered";
}

/** Return the steps of a state, in order. */
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
