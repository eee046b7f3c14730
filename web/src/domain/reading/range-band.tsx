import "./range-band.css";
import { useTranslation } from "react-i18next";
import { Needle } from "./value-scale.tsx";

/** Position on a range band, percent of its width. */
interface BandPosition {
  /** The value, clamped to the track; null if missing. */
  at: number | null;
  side: "below" | "inside" | "above" | "missing";
}

/** The desired range always fills the middle half, so that bands of different sensors are comparable. */
const START = 25;
const END = 75;

/** Position a value against its desired range; the track ends half a range below and above. */
export function bandPosition(value: number | null, low: number, high: number): BandPosition {
  if (value === null || !Number.isFinite(value) || high <= low) return { at: null, side: "missing" };
  const at = START + ((value - low) / (high - low)) * (END - START);
  const side = value < low ? "below" : value > high ? "above" : "inside";
  return { at: Math.min(99, Math.max(1, at)), side };
}

export interface RangeBandProps {
  /** Displayed units; null is missing. */
  value: number | null;
  /** Start of the desired range. */
  low: number;
  high: number;
  unit: string;
}

/** Analog indicator of a value against its desired range. Position carries the meaning, not colour. */
export function RangeBand({ value, low, high, unit }: RangeBandProps) {
  const { t } = useTranslation("common");
  const { at, side } = bandPosition(value, low, high);
  const outside = side === "inside" || side === "missing" ? null : t(`reading.outside.${side}`);
  const desired = t("reading.desired", { low, high, unit });
  return (
    <span
      className="range-band"
      data-side={side}
      role="img"
      aria-label={outside ? t("sentences", { first: desired, second: outside }) : desired}
    >
      <svg className="range-band__track" aria-hidden>
        <rect
          className="range-band__desired"
          x={`${START}%`}
          y="20%"
          width={`${END - START}%`}
          height="80%"
        />
        {at !== null && <Needle at={at} />}
      </svg>
      <span className="range-band__ends" aria-hidden>
        <span style={{ insetInlineStart: `${START}%` }}>{low}</span>
        <span style={{ insetInlineStart: `${END}%` }}>{high}</span>
      </span>
    </span>
  );
}
