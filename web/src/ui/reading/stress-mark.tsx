import { STRESS_COLOURS, stressLevel } from "@mulkko/shared/rules/stress";
import { useLabels } from "../../i18n/labels.ts";
import "./stress-mark.css";

/** What a stress index means for plant and animal: its words, with the level's colour before them. */
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
