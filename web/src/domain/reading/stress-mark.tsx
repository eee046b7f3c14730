import { STRESS_COLOURS, stressLevel } from "@mulkko/shared/rules/stress";
import { useLabels } from "../../i18n/labels.ts";
import "./stress-mark.css";

/** Show the meaning of a stress index for plants and animals: text with the level's colour before it. */
export function StressMark({ stress }: { stress: number | null }) {
  const labels = useLabels();
  const level = stressLevel(stress);
  return (
    <span className="stress-mark">
      <span className="stress-mark__dot" style={{ background: STRESS_COLOURS[level] }} />
      {labels.stress(level)}
    </span>
  );
}
