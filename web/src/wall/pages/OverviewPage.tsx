import { type CSSProperties, useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { RestClient } from "../../api/client.ts";
import { fetchSparklines, SPARKLINES_EVERY_MS } from "../../domain/reading/sparklines.ts";
import { type LiveFarm, useIsLive, useLiveSelection, useServerNow } from "../../live/hooks.ts";
import { columnsOf, rowsOf, tileGap } from "../sizes.ts";
import { usePolled } from "../use-polled.ts";
import { useElementSize } from "../use-viewport.ts";
import { useTellWaiting } from "../waiting.ts";
import { useWall } from "../wall-context.ts";
import { Empty } from "./Empty.tsx";
import {
  fillOverview,
  hasSparkline,
  type OverviewTiles,
  sameTiles,
  sparklineSensors,
  tileKey,
} from "./overview.ts";
import { ReadingWallTile } from "./ReadingWallTile.tsx";
import { ValveWallTile } from "./ValveWallTile.tsx";
import type { WallPageProps } from "./wall-page.ts";
import "./overview-page.css";

const KINDS = ["sensor.listing", "controller.listing", "channel", "alarm"] as const;

/** Show readings with their last 24 hours, and valves: worst first, or the chosen ones. */
export function OverviewPage({ lap }: WallPageProps) {
  const { factor, tight } = useWall();
  const [ref, size] = useElementSize<HTMLDivElement>();
  const columns = size ? columnsOf(factor, { ...size, width: window.innerWidth }) : 0;
  const rows = size ? rowsOf(factor, size.height, tight) : 0;
  return (
    <div className="overview" ref={ref}>
      {columns > 0 && <Tiles columns={columns} rows={rows} lap={lap} />}
    </div>
  );
}

function Tiles({ columns, rows, lap }: { columns: number; rows: number; lap: number }) {
  const { t } = useTranslation("wall");
  const { factor, tight, settings } = useWall();
  const chosen = useMemo(() => settings.tiles?.map(String) ?? null, [settings.tiles]);
  const capacity = columns * rows;
  const { tiles, waiting } = useLiveSelection<OverviewTiles>(
    KINDS,
    useCallback((farm: LiveFarm) => fillOverview(farm, capacity, lap, chosen), [capacity, lap, chosen]),
    sameTiles,
  );
  const now = useServerNow();
  const live = useIsLive();
  const sensors = useMemo(() => sparklineSensors(tiles), [tiles]);
  const ask = useCallback(
    (rest: RestClient, signal: AbortSignal) => fetchSparklines(rest, sensors, now(), signal),
    [sensors, now],
  );
  const { value: trends } = usePolled(live && sensors.length > 0 ? ask : null, SPARKLINES_EVERY_MS);
  useTellWaiting(waiting);
  if (tiles.length === 0) return <Empty>{t("overview.empty")}</Empty>;
  const style: CSSProperties = {
    gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
    gridTemplateRows: `repeat(${rows}, minmax(0, 1fr))`,
    gap: tileGap(factor, tight),
  };
  return (
    <ul className="overview__tiles" style={style} aria-label={t("overview.label")}>
      {tiles.map((tile) => (
        <li key={tileKey(tile)}>
          {tile.kind === "valve" ? (
            <ValveWallTile id={tile.id} />
          ) : (
            <ReadingWallTile
              id={tile.id}
              field={tile.field}
              trend={hasSparkline(tile) ? trends?.get(tile.id) : undefined}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
