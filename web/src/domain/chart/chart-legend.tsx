import type { ReactNode } from "react";
import { type SeriesColor, seriesColorVar } from "./chart-model.ts";
import "./chart-legend.css";

interface ChartLegendProps {
  items: readonly {
    readonly id: string;
    readonly label: string;
    readonly color: SeriesColor;
    /** Number of earlier lines with the same colour. */
    readonly turn: number;
    /** Value under the crosshair, or the newest one, with its unit. */
    readonly text: ReactNode;
  }[];
  /** Series with the right axis. */
  promoted: string;
  onPromote: (id: string) => void;
}

/** List a chart's lines by name, colour and value. Pressing one gives it the axis. */
export function ChartLegend({ items, promoted, onPromote }: ChartLegendProps) {
  return (
    <ul className="chart-legend" data-testid="chart-legend">
      {items.map(({ id, label, color, turn, text }) => (
        <li key={id}>
          <button
            type="button"
            className="legend-button"
            aria-pressed={id === promoted}
            onClick={() => onPromote(id)}
          >
            <span
              className="chart-legend__line"
              data-turn={turn === 0 ? undefined : turn}
              style={{ color: `var(${seriesColorVar(color)})` }}
            />
            <span>{label}</span>
            <span className="chart-legend__value">{text}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
