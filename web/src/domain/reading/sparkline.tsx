import { memo } from "react";
import { sparklinePath, sparklineScale, sparklineY } from "./sparkline-path.ts";
import "./sparkline.css";

export interface SparklineProps {
  /** Regular samples, oldest first; null for a missing one. */
  values: readonly (number | null)[];
  /** The desired range, drawn behind the line. */
  band?: { low: number; high: number } | null;
  /** Content of the line, for screen readers; without it the line is decoration. */
  label?: string;
}

const WIDTH = 160;
const HEIGHT = 32;

/** A small line of the last hours, stretched to its container. Gaps stay gaps. */
export const Sparkline = memo(function Sparkline({ values, band = null, label }: SparklineProps) {
  const scale = sparklineScale(values, band, WIDTH, HEIGHT);
  const top = scale && band ? sparklineY(band.high, scale) : 0;
  const bottom = scale && band ? sparklineY(band.low, scale) : 0;
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      aria-hidden={label === undefined}
    >
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
