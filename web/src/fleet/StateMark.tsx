import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import { useTranslation } from "react-i18next";
import { ClockIcon, QuestionIcon, UnplugIcon } from "../ui/icon/icons.tsx";
import type { FleetState } from "./device-state.ts";
import "./state-mark.css";

const ICONS = { offline: UnplugIcon, unknown: QuestionIcon, late: ClockIcon } as const;

interface StateMarkProps {
  readonly state: FleetState;
  readonly alarm?: AlarmPriority | null;
  /** The word stands beside it. */
  readonly bare?: boolean;
}

/** How a device is doing, by shape first; only what is an alarm has its colour. */
export function StateMark({ state, alarm = null, bare = false }: StateMarkProps) {
  const { t } = useTranslation("fleet");
  const Icon = state === "never" || state === "fresh" ? null : ICONS[state];
  const word = t(`state.${state}`);
  return (
    <span
      className="state-mark"
      data-state={state}
      data-alarm={alarm ?? undefined}
      title={bare ? undefined : word}
    >
      {Icon ? <Icon size={14} /> : <span className="state-mark__dot" />}
      {!bare && <span className="visually-hidden">{word}</span>}
    </span>
  );
}
