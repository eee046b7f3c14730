import type { AlarmPriority } from "@mulkko/shared/live/alarm";
import { useTranslation } from "../i18n/use-translation.ts";
import { ClockIcon, QuestionIcon, UnplugIcon } from "../ui/icon/icons.tsx";
import type { FleetState } from "./device-state.ts";
import "./state-mark.css";

const ICONS = { offline: UnplugIcon, unknown: QuestionIcon, late: ClockIcon } as const;

interface StateShapeProps {
  readonly state: FleetState;
  readonly alarm?: AlarmPriority | null;
  /** Said by screen readers and shown under a pointer; without it the word stands beside the shape. */
  readonly word?: string;
}

/** How a device is doing, by shape first; only what is an alarm has its colour. */
export function StateShape({ state, alarm = null, word }: StateShapeProps) {
  const Icon = state === "never" || state === "fresh" ? null : ICONS[state];
  return (
    <span className="state-mark" data-state={state} data-alarm={alarm ?? undefined} title={word}>
      {Icon ? <Icon size={14} /> : <span className="state-mark__dot" />}
      {word !== undefined && <span className="visually-hidden">{word}</span>}
    </span>
  );
}

interface StateMarkProps extends Omit<StateShapeProps, "word"> {
  /** The word stands beside it. */
  readonly bare?: boolean;
}

/** The shape with its word, in the language of the interface. */
export function StateMark({ bare = false, ...shape }: StateMarkProps) {
  const { t } = useTranslation("fleet");
  return <StateShape {...shape} {...(bare ? {} : { word: t(`state.${shape.state}`) })} />;
}
