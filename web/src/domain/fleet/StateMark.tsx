import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import { useTranslation } from "react-i18next";
import { QUALITY_ICONS } from "../reading/quality-mark.tsx";
import type { FleetState } from "./device-state.ts";
import "./state-mark.css";

interface StateShapeProps {
  readonly state: FleetState;
  readonly alarm?: AlarmPriority | null;
  /** Label for screen readers and tooltip; omit it if the text is shown beside the shape. */
  readonly word?: string;
}

/** Show a device's state, primarily by shape. Only alarms use the alarm color. */
export function StateShape({ state, alarm = null, word }: StateShapeProps) {
  const Icon = state === "never" ? null : QUALITY_ICONS[state];
  return (
    <span
      className="state-mark"
      data-state={state}
      data-alarm={alarm ?? undefined}
      {...(word !== undefined && { role: "img", "aria-label": word, title: word })}
    >
      {Icon ? <Icon size={14} /> : <span className="state-mark__dot" />}
    </span>
  );
}

/** Show the shape with its translated text. */
export function StateMark(shape: Omit<StateShapeProps, "word">) {
  const { t } = useTranslation("fleet");
  return <StateShape {...shape} word={t(`state.${shape.state}`)} />;
}
