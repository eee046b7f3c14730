import type { ReactNode } from "react";
import { type SeriesColor, seriesColorVar } from "./series-colors.ts";
import "./legend-button.css";
import "./chart-legend.css";

export interface LegendItem {
  id: string;
  label: string;
  color: SeriesColor;
  /** The value under the crosshair, or the newest, with its unit. */
  text: ReactNode;
}

export interface ChartLegendProps {
  items: readonly LegendItem[];
  /** The series with the right axis. */
  promoted: string | null;
  onPromote: (id: string) => void;
}

/** The lines of a chart by name, colour and value; pressing one gives it the axis. */
export function ChartLegend({ items, promoted, onPromote }: ChartLegendProps) {
  return (
    <ul className="chart-legend">
      {items.map(({ id, label, color, text }) => (
        <li key={id}>
          <button
            type="button"
            className="legend-button"
            aria-pressed={id === promoted}
            onClick={() => onPromote(id)}
          >
            <span className="chart-legend__line" style={{ background: `var(${seriesColorVar(color)})` }} />
            <span>{label}</span>
            <span className="chart-legend__value">{text}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
