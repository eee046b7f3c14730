import { useCallback } from "react";
import { Link } from "react-router-dom";
import type { NextWaterings } from "../../farm/next-watering.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { type LiveFarm, useFirstSync, useLiveSelection } from "../../live/hooks.ts";
import { DownIcon } from "../../ui/icon/icons.tsx";
import { BoxQuality } from "./BoxHead.tsx";
import { ChannelCell } from "./ChannelCell.tsx";
import type { FarmBox } from "./farm-list.ts";
import { panelPath } from "./paths.ts";

const CHANNELS = ["channel"] as const;

/** Ids of the boxes that water now, as text, which a selection can compare. */
const runningIds = (boxes: readonly FarmBox[], { channels }: LiveFarm): string =>
  boxes
    .filter((box) => box.channels.some(({ id }) => channels.get(id)?.onoff === 1))
    .map(({ id }) => id)
    .join();

export interface BoxAccordionProps {
  boxes: readonly FarmBox[];
  next: NextWaterings;
}

/** The matrix of a phone: a controller under the other, those that water first and open. */
export function BoxAccordion({ boxes, next }: BoxAccordionProps) {
  const running = new Set(
    useLiveSelection(
      CHANNELS,
      useCallback((live: LiveFarm) => runningIds(boxes, live), [boxes]),
    ).split(","),
  );
  const ordered = [...boxes].sort((a, b) => Number(running.has(b.id)) - Number(running.has(a.id)));
  return (
    <div className="box-list">
      {ordered.map((box, index) => (
        <BoxPart key={box.id} box={box} next={next} open={running.has(box.id) || index === 0} />
      ))}
    </div>
  );
}

/** Opened at first where it matters; what a thumb opens or closes later stays so. */
function BoxPart({ box, next, open }: { box: FarmBox; next: NextWaterings; open: boolean }) {
  const { t } = useTranslation("irrigation");
  const known = useFirstSync() === "done";
  return (
    <details className="box-part" open={open}>
      <summary>
        <DownIcon />
        <span className="box-part__name">{box.name}</span>
        <BoxQuality box={box} />
      </summary>
      {box.channels.length === 0 ? (
        <p className="box-part__none">
          {t(known ? "matrix.noChannels" : "matrix.channelsUnknown")}{" "}
          <Link to={panelPath(box.id)}>{box.serial}</Link>
        </p>
      ) : (
        <ul>
          {box.channels.map((channel) => (
            <li key={channel.id}>
              <ChannelCell box={box} channel={channel} next={next.get(channel.id)} />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
