import { useTranslation } from "react-i18next";
import "./alarm-badge.css";

/** Alarm priorities, most urgent first. */
export type Priority = 1 | 2 | 3;

const outlines: Readonly<Record<Priority, string>> = {
  1: "M3 3h26v26H3z",
  2: "M16 2.5 30.5 29h-29z",
  3: "M16 2a14 14 0 1 1 0 28 14 14 0 0 1 0-28z",
};

/** Show an alarm's priority by shape: 1 square, 2 triangle, 3 circle. Only an unacknowledged 1 pulses. */
export function AlarmBadge({ priority, pulsing = false }: { priority: Priority; pulsing?: boolean }) {
  const { t } = useTranslation("common");
  return (
    <svg
      className="alarm-badge"
      style={{ color: `var(--mk-colors-alarm-p${priority}-solid)` }}
      data-priority={priority}
      data-pulsing={pulsing && priority === 1 ? "" : undefined}
      viewBox="0 0 32 32"
      role="img"
      aria-label={t(`alarm.priority.${priority}`)}
    >
      <path d={outlines[priority]} />
      <text
        x="16"
        y={priority === 2 ? 26 : 23}
        textAnchor="middle"
        style={{ fill: `var(--mk-colors-alarm-p${priority}-contrast)` }}
      >
        {priority}
      </text>
    </svg>
  );
}
