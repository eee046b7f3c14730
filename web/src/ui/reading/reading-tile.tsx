import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import type { ReactNode } from "react";
import { AlarmBadge, type Priority } from "../feedback/alarm-badge.tsx";
import { QualityMark } from "./quality-mark.tsx";
import { ReadingValue, type ReadingValueProps } from "./reading-value.tsx";
import { Sparkline } from "./sparkline.tsx";
import "./reading-tile.css";

export interface TileFrameProps {
  label: ReactNode;
  /** Line under the label: the displayed measurement. */
  sublabel?: ReactNode;
  /** Right of the label: usually a quality mark with the age. */
  mark?: ReactNode;
  quality: DrawnQuality | null;
  alarm?: Priority | null;
  /** Additional line under the reading: a sparkline, a range band or a sentence. */
  foot?: ReactNode;
  children: ReactNode;
}

/** Frame of every tile: label, mark, content, foot. Dashed while not fresh; tinted only by an alarm. */
export function TileFrame({ label, sublabel, mark, quality, alarm = null, foot, children }: TileFrameProps) {
  return (
    <div
      className="reading-tile"
      data-testid="reading-tile"
      data-quality={quality ?? "never"}
      data-alarm={alarm ?? undefined}
    >
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
  /** Time since the last reading of the device, ms; null if there was none. */
  ageMs: number | null;
  /** The last 24 hours on a regular grid, displayed units. */
  trend?: readonly (number | null)[];
  /** Desired range, displayed units. */
  band?: { low: number; high: number } | null;
  alarm?: Priority | null;
}

/** Tile of one reading: number, unit, the last 24 hours against the desired range, quality and age. */
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
