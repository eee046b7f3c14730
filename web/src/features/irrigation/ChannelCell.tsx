import type { Ref } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { Moisture } from "../../domain/reading/moisture.tsx";
import { useLastReport } from "../../domain/valve/last-report.ts";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import { ValveSymbol } from "../../domain/valve/valve-symbol.tsx";
import { nameInUnit } from "../../domain/valve/valve-title.ts";
import { valveView, viewMarks } from "../../domain/valve/valve-view.ts";
import { valveWords } from "../../domain/valve/valve-words.ts";
import type { NextWatering } from "../../domain/watering/next-watering.ts";
import { useWhen } from "../../domain/watering/use-when.ts";
import { useDrawnQuality, useLive } from "../../live/hooks.ts";
import type { FarmChannel, FarmUnit } from "./farm-list.ts";
import { panelPath } from "./paths.ts";
import "./matrix.css";

export interface ChannelCellProps {
  box: Pick<FarmUnit, "id" | "name">;
  channel: FarmChannel;
  next: NextWatering | undefined;
  tabIndex?: number;
  ref?: Ref<HTMLAnchorElement>;
}

/** One channel as it is now: its valve, its soil, the mode in charge, and when it closes or opens next. */
export function ChannelCell({ box, channel: listed, next, tabIndex, ref }: ChannelCellProps) {
  const { t } = useTranslation("common");
  const channel = useLive("channel", listed.id);
  const quality = useDrawnQuality(channel);
  const view = valveView({ onoff: channel?.onoff ?? 0, command: channel?.command ?? null, quality });
  const when = useWhen(channel, next, view);
  const { time } = useLastReport(channel);
  if (!channel) return null;
  const { number, moisture, modes } = channel;
  const mode = modes?.active ?? "none";
  return (
    <Link
      className="matrix-cell"
      data-testid="channel-cell"
      to={panelPath(box.id, number)}
      {...viewMarks(view)}
      tabIndex={tabIndex}
      ref={ref}
    >
      <ValveSymbol view={view} letter={mode === "none" ? null : t(`mode.letter.${mode}`)} size={36} />
      <span className="matrix-cell__text">
        {/* A cell is read by itself. */}
        <span className="visually-hidden">{box.name} </span>
        <b className="matrix-cell__title">
          <ThingTitle name={nameInUnit(box, listed)} number={number} />
        </b>
        <span className="matrix-cell__state">
          {valveWords(t, view, time)} · <span className="matrix-cell__when">{when}</span>
        </span>
      </span>
      {moisture !== null && <Moisture value={moisture} quality={quality} />}
    </Link>
  );
}
