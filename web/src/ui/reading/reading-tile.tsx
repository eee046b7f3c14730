import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import type { ReactNode } from "react";
import { AlarmBadge, type Priority } from "../feedback/alarm-badge.tsx";
import { QualityMark } from "./quality-mark.tsx";
import { ReadingValue, type ReadingValueProps } from "./reading-value.tsx";
import { Sparkline } from "./sparkline.tsx";
import "./reading-tile.css";

export interface TileFrameProps {
  label: ReactNode;
  /** Under the label: what of the thing is shown. */
  sublabel?: ReactNode;
  /** Right of the label: usually a quality mark with the age. */
  mark?: ReactNode;
  quality: DrawnQuality | null;
  alarm?: Priority | null;
  /** Adds one line under the reading: a sparkline, a range band, a sentence. */
  foot?: ReactNode;
  children: ReactNode;
}

/** The box of every tile: label, mark, what it shows, a foot. Dashed while not fresh; tinted only by an alarm. */
export function TileFrame({ label, sublabel, mark, quality, alarm = null, foot, children }: TileFrameProps) {
  return (
    <div className="reading-tile" data-quality={quality ?? "never"} data-alarm={alarm ?? undefined}>
      <div className="reading-tile__head">
        <span className="reading-tile__label">{label}</span>
        {mark}
        {sublabel && <span className="reading-tile__sublabel">{sublabel}</span>}
      </div>
      <div className="reading-tile__body">{children}</div>
      {(foot || alarm) && (
        <div className="reading-tile__foot">
          <div className="reading-tile__trend">{foot}</div>
          {alarm && <AlarmBadge priority={alarm} />}
        </div>
      )}
    </div>
  );
}

export interface ReadingTileProps extends Omit<ReadingValueProps, "size"> {
  label: ReactNode;
  /** Since the device was last heard, ms; null if it never was. */
  ageMs: number | null;
  /** The last 24 hours on a regular grid, shown units. */
  trend?: readonly (number | null)[];
  /** The desired range, shown units. */
  band?: { low: number; high: number } | null;
  alarm?: Priority | null;
}

/** One reading, whole: number, unit, the last 24 hours against the desired range, quality and age. */
export function ReadingTile({
  label,
  ageMs,
  trend,
  band = null,
  alarm = null,
  ...reading
}: ReadingTileProps) {
  return (
    <TileFrame
      label={label}
      quality={reading.quality}
      alarm={alarm}
      mark={<QualityMark quality={reading.quality} ageMs={ageMs} />}
      foot={trend && <Sparkline values={trend} band={band} />}
    >
      <ReadingValue {...reading} />
    </TileFrame>
  );
}
