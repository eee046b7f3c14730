import "./sparkline.css";
import { memo } from "react";

/** The view box, in its own units. */
const WIDTH = 160;
const HEIGHT = 32;

/** Values at the lower and the upper edge. */
interface SparklineScale {
  readonly min: number;
  readonly max: number;
}

/** Margin around values and band: an eighth of the span, so that a flat line is centred. */
const MARGIN = 0.125;

/**
 * Return a scale that contains all values and the band.
 *
 * @param values regular samples, null for a missing one
 */
export function sparklineScale(
  values: readonly (number | null)[],
  band: { low: number; high: number } | null,
): SparklineScale | null {
  const measured = values.flatMap((value) => (value !== null && Number.isFinite(value) ? [value] : []));
  if (measured.length === 0) return null;
  const edges = band ? [band.low, band.high] : [];
  const [min, max] = [Math.min(...measured, ...edges), Math.max(...measured, ...edges)];
  const span = max - min || Math.max(1, Math.abs(max) * 0.1);
  return { min: min - span * MARGIN, max: max + span * MARGIN };
}

/** Return the position of a value, view-box units from the top. */
export function sparklineY(value: number, scale: SparklineScale): number {
  return HEIGHT * (1 - (value - scale.min) / (scale.max - scale.min));
}

/**
 * Return an SVG path of regular samples. A null breaks the line. A sample between two gaps is a dot: a line
 * of zero length, visible with round caps.
 */
export function sparklinePath(values: readonly (number | null)[], scale: SparklineScale): string {
  const step = values.length > 1 ? WIDTH / (values.length - 1) : 0;
  let path = "";
  let pen = false;
  values.forEach((value, index) => {
    if (value === null || !Number.isFinite(value)) {
      pen = false;
      return;
    }
    const point = `${round(index * step)} ${round(sparklineY(value, scale))}`;
    const alone = !pen && (values[index + 1] ?? null) === null;
    path += `${pen ? "L" : "M"}${point}${alone ? "h0" : ""}`;
    pen = true;
  });
  return path;
}

const round = (value: number): number => Math.round(value * 100) / 100;

export interface SparklineProps {
  /** Regular samples, oldest first; null for a missing one. */
  values: readonly (number | null)[];
  /** The desired range, drawn behind the line. */
  band?: { low: number; high: number } | null;
}

/** A small line of the last hours, stretched to its container: decoration beside a number. Gaps stay gaps. */
export const Sparkline = memo(function Sparkline({ values, band = null }: SparklineProps) {
  const scale = sparklineScale(values, band);
  const top = scale && band ? sparklineY(band.high, scale) : 0;
  const bottom = scale && band ? sparklineY(band.low, scale) : 0;
  return (
    <svg className="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      {scale && band && (
        <rect className="sparkline__band" x="0" y={top} width={WIDTH} height={bottom - top} rx="1" />
      )}
      {scale ? (
        <path className="sparkline__line" d={sparklinePath(values, scale)} />
      ) : (
        <path className="sparkline__none" d={`M0 ${HEIGHT / 2}H${WIDTH}`} />
      )}
    </svg>
  );
});
