import { useTranslation } from "react-i18next";
import { bandPosition } from "./band-position.ts";
import "./range-band.css";

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
  const { start, end, at, side } = bandPosition(value, low, high);
  const outside = side === "inside" || side === "missing" ? null : t(`reading.outside.${side}`);
  const desired = t("reading.desired", { low, high, unit });
  return (
    <span
      className="range-band"
      data-side={side}
      role="img"
      aria-label={outside ? t("sentences", { first: desired, second: outside }) : desired}
    >
      <span className="range-band__track">
        <span
          className="range-band__desired"
          style={{ insetInlineStart: `${start}%`, width: `${end - start}%` }}
        />
        {at !== null && <span className="range-band__needle" style={{ insetInlineStart: `${at}%` }} />}
      </span>
      <span className="range-band__ends" aria-hidden>
        <span style={{ insetInlineStart: `${start}%` }}>{low}</span>
        <span style={{ insetInlineStart: `${end}%` }}>{high}</span>
      </span>
    </span>
  );
}
