import type { DrawnQuality } from "@mulkko/shared/rules/quality";
import type { ReactNode } from "react";
import { AlarmBadge, type Priority } from "../../components/alarm-badge.tsx";
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
