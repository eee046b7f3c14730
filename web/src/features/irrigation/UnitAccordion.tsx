import { ChevronDownIcon } from "lucide-react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { NextWaterings } from "../../domain/watering/next-watering.ts";
import { type LiveFarm, useFirstSync, useLiveSelection } from "../../live/hooks.ts";
import { ChannelCell } from "./ChannelCell.tsx";
import type { FarmUnit } from "./farm-list.ts";
import { panelPath } from "./paths.ts";
import { UnitQuality } from "./UnitHead.tsx";

const CHANNELS = ["channel"] as const;

/** Ids of the boxes that water now, as text, which a selection can compare. */
const runningIds = (units: readonly FarmUnit[], { channels }: LiveFarm): string =>
  units
    .filter((box) => box.channels.some(({ id }) => channels.get(id)?.onoff === 1))
    .map(({ id }) => id)
    .join();

export interface UnitAccordionProps {
  units: readonly FarmUnit[];
  next: NextWaterings;
}

/** The matrix of a phone: a controller under the other, those that water first and open. */
export function UnitAccordion({ units, next }: UnitAccordionProps) {
  const running = new Set(
    useLiveSelection(
      CHANNELS,
      useCallback((live: LiveFarm) => runningIds(units, live), [units]),
    ).split(","),
  );
  const ordered = [...units].sort((a, b) => Number(running.has(b.id)) - Number(running.has(a.id)));
  return (
    <div className="box-list">
      {ordered.map((box, index) => (
        <UnitPart key={box.id} box={box} next={next} open={running.has(box.id) || index === 0} />
      ))}
    </div>
  );
}

/** Opened at first where it matters; what a thumb opens or closes later stays so. */
function UnitPart({ box, next, open }: { box: FarmUnit; next: NextWaterings; open: boolean }) {
  const { t } = useTranslation("irrigation");
  const known = useFirstSync() === "done";
  return (
    <details className="box-part" open={open}>
      <summary>
        <ChevronDownIcon />
        <span className="box-part__name">{box.name}</span>
        <UnitQuality box={box} />
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
