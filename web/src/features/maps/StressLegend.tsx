import { STRESS_COLOURS } from "@mulkko/shared/rules/stress";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { legendLines } from "./stress-range.ts";

/** Explain the colours of crop stress sensors; `open` shows it unfolded at first. */
export function StressLegend({ open }: { open: boolean }) {
  const { t } = useTranslation("maps");
  const labels = useLabels();
  return (
    <section className="map-legend" aria-label={t("legend")}>
      <details open={open}>
        <summary>{t("legend")}</summary>
        <ul>
          {legendLines().map(({ level, range }) => (
            <li key={level}>
              <span
                className="map-legend__dot"
                data-level={level}
                style={{ background: STRESS_COLOURS[level] }}
              />
              {labels.stress(level)}
              {range && (
                <span className="map-legend__range">
                  {range[0]}–{range[1]}
                </span>
              )}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
