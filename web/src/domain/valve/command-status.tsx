import "./command-status.css";
import type { CommandState } from "@mulkko/shared/live/devices";
import type { ValveTarget } from "@mulkko/shared/rules/valve";
import { CheckIcon, CircleQuestionMarkIcon, XIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

export interface CommandStatusProps {
  state: CommandState;
  target: ValveTarget;
  /** Time since the press, s. */
  seconds: number;
  /** Text of the reason for a refusal or failure. */
  reason?: string | null;
}

const marks: Readonly<Record<CommandStep["mark"], (() => ReactNode) | null>> = {
  done: () => <CheckIcon size={12} />,
  failed: () => <XIcon size={12} />,
  unanswered: () => <CircleQuestionMarkIcon size={14} />,
  current: null,
  ahead: null,
};

/** Show a command's progress: requested, accepted, confirmed, or the step at which it ended. */
export function CommandStatus({ state, target, seconds, reason = null }: CommandStatusProps) {
  const { t } = useTranslation("common");
  const pending = state === "requested" || state === "accepted";
  const targetWord = t(target === 1 ? "command.target.open" : "command.target.close");
  return (
    <div className="command-status" data-state={state}>
      <ol className="command-status__steps">
        {commandSteps(state).map(({ step, mark }) => (
          <li key={step} data-mark={mark} aria-current={mark === "current" ? "step" : undefined}>
            <span className="command-status__dot">{marks[mark]?.()}</span>
            <span>{t(`command.state.${step}`)}</span>
          </li>
        ))}
      </ol>
      <p className="command-status__sentence">
        <span role="status">{reason ?? t(`command.sentence.${state}`, { target: targetWord })}</span>
        {pending && (
          <span className="command-status__seconds">
            {t("duration.seconds", { count: Math.floor(seconds) })}
          </span>
        )}
      </p>
    </div>
  );
}

/** One of a command's three steps, or the different end in its place. */
interface CommandStep {
  readonly step: CommandState;
  readonly mark: "done" | "current" | "ahead" | "failed" | "unanswered";
}

/** Return the steps of a state, in order. */
function commandSteps(state: CommandState): readonly CommandStep[] {
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
