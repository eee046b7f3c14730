import "./range-band.css";
import { FIELDS } from "@mulkko/shared/catalogue/fields";
import type { Modes } from "@mulkko/shared/entities/modes";
import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import { useTranslation } from "react-i18next";
import { ReadingValue } from "./reading-value.tsx";

/** Desired range of a soil moisture, %. */
export interface Band {
  readonly low: number;
  readonly high: number;
}

/** Return the desired range of a valve's soil (UI-4): the bounds of its automatic mode; null without two. */
export function bandOf(modes: Pick<Modes, "automatic"> | null): Band | null {
  const { lowerBound: low = null, upperBound: high = null } = modes?.automatic ?? {};
  return low !== null && high !== null && low < high ? { low, high } : null;
}

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

/** Return the side of the band that a word may name (UI-4); null for an old value, which may have changed. */
export function tellableSide(
  value: number | null,
  { low, high }: Band,
  quality: DrawnQuality | null,
): Exclude<BandPosition["side"], "missing"> | null {
  const { side } = bandPosition(value, low, high);
  return side === "missing" || quality !== "fresh" ? null : side;
}

export interface RangeBandProps {
  /** Soil moisture, %; null is missing. */
  value: number | null;
  band: Band;
  /** Quality of the value: a word would claim that an old one is true now. */
  quality: DrawnQuality | null;
  /** True in rows: low, without the numbers of its ends. */
  small?: boolean;
}

/** Show a soil moisture against its desired range, and dry, right or wet as a word at that side. */
export function RangeBand({ value, band, quality, small = false }: RangeBandProps) {
  const { t } = useTranslation("common");
  const { low, high } = band;
  const { at, side } = bandPosition(value, low, high);
  const tellable = tellableSide(value, band, quality);
  const word = tellable && t(`reading.soil.${tellable}`);
  const desired = t("reading.desired", { low, high, unit: "%" });
  return (
    <span
      className="range-band"
      data-testid="range-band"
      data-side={side}
      data-small={small || undefined}
      role="img"
      aria-label={word ? t("sentences", { first: word, second: desired }) : desired}
    >
      <svg className="range-band__track" aria-hidden>
        <rect
          className="range-band__desired"
          x={`${START}%`}
          y="20%"
          width={`${END - START}%`}
          height="80%"
        />
        {/* In SVG a move needs no new style, which would cost more. */}
        {at !== null && (
          <line className="range-band__needle" x1={`${at}%`} x2={`${at}%`} y1="-33%" y2="133%" />
        )}
      </svg>
      <span className="range-band__ends" aria-hidden>
        {!small && <span style={{ insetInlineStart: `${START}%` }}>{low}</span>}
        {!small && <span style={{ insetInlineStart: `${END}%` }}>{high}</span>}
        {word && <b>{word}</b>}
      </span>
    </span>
  );
}

interface MoistureProps {
  value: number | null;
  quality: DrawnQuality | null;
  band: Band | null;
}

/** A valve's soil moisture in a row, with its band if there is one. */
export function Moisture({ value, quality, band }: MoistureProps) {
  return (
    <span className="moisture">
      <ReadingValue value={value} field={FIELDS.moisture} quality={quality} size="body" />
      {band && <RangeBand {...{ value, band, quality }} small />}
    </span>
  );
}
