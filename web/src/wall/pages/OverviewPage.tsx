import "./overview-page.css";
import { deviceTypeOf, fieldOf } from "@mulkko/shared/catalogue/registry";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { type CSSProperties, memo, useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { RestClient } from "../../api/client.ts";
import { LiveMark, LiveReading, useSensorQuality } from "../../domain/reading/LiveReading.tsx";
import { type Band, tellableSide } from "../../domain/reading/range-band.tsx";
import { readingNumber } from "../../domain/reading/reading.ts";
import { TileFrame } from "../../domain/reading/reading-tile.tsx";
import { useSensorBand } from "../../domain/reading/sensor-band.tsx";
import { Sparkline } from "../../domain/reading/sparkline.tsx";
import { fetchSparklines, SPARKLINES_EVERY_MS } from "../../domain/reading/sparklines.ts";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import { ValveSymbol } from "../../domain/valve/valve-symbol.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useIsLive, useLivePart, useLiveSelection, useServerNow } from "../../live/hooks.ts";
import { FarmLabel } from "../FarmLabel.tsx";
import { NameLine } from "../NameLine.tsx";
import { columnsOf, rowsOf, tileGap } from "../sizes.ts";
import { usePolled } from "../use-polled.ts";
import { useElementSize } from "../use-viewport.ts";
import { useTellWaiting } from "../waiting.ts";
import { useWall, type WallPageProps } from "../wall-context.ts";
import { useAlarmOf } from "./alarm-keys.ts";
import { Empty } from "./Empty.tsx";
import { fillOverview, hasSparkline, sameTiles, sparklineSensors, tileKey } from "./overview.ts";
import { useValve, ValveMark } from "./use-valve.tsx";

const SYMBOL_PX = { wide: 84, tight: 54 } as const;

/** Show a valve for reading from a distance. Its body is the reported position, never the requested one. */
export const ValveWallTile = memo(function ValveWallTile({ id }: { id: string }) {
  const { factor, tight } = useWall();
  const valve = useValve(id);
  if (valve === null) return null;
  return (
    <TileFrame
      label={
        <>
          <FarmLabel about={`channel:${id}`} short />
          <ThingTitle name={valve.name} number={valve.number} />
        </>
      }
      quality={valve.view.kind === "unknown" ? "unknown" : valve.quality}
      alarm={valve.alarm}
      mark={<ValveMark valve={valve} />}
      foot={<p className="valve-foot">{valve.foot}</p>}
    >
      <ValveSymbol
        view={valve.view}
        letter={valve.letter}
        size={SYMBOL_PX[tight ? "tight" : "wide"] * factor}
      />
      <span
        className="valve-word"
        data-quality={valve.view.kind === "unknown" ? "unknown" : (valve.quality ?? undefined)}
      >
        {valve.word}
      </span>
    </TileFrame>
  );
});

const moistureOf = (value: SensorValue | undefined) => readingNumber(value?.reading, "moisture");
const infoOf = (value: SensorValue | undefined) => value?.info;

interface ReadingWallTileProps {
  id: string;
  field: string;
  trend: readonly (number | null)[] | undefined;
}

/** Say whether the soil is dry, right or wet (UI-4). Re-renders with each reading. */
const SoilWord = memo(function SoilWord({ id, band }: { id: string; band: Band }) {
  const { t } = useTranslation("common");
  const value = useLivePart("sensor", id, moistureOf);
  const side = tellableSide(value, band, useSensorQuality(id));
  return side && <b className="wall-tile__soil">{t(`reading.soil.${side}`)}</b>;
});

/** Show a measurement for reading from a distance: name, number, last 24 hours against the desired range. */
export const ReadingWallTile = memo(function ReadingWallTile({
  id,
  field: name,
  trend,
}: ReadingWallTileProps) {
  const labels = useLabels();
  const { tight } = useWall();
  const info = useLivePart("sensor", id, infoOf);
  const quality = useSensorQuality(id);
  const alarm = useAlarmOf([`sensor:${id}`]);
  const band = useSensorBand(id, name);
  if (!info) return null;
  const field = fieldOf(deviceTypeOf(info.deviceType), name);
  const measured = (
    <>
      {labels.field(field.name)}
      {band && <SoilWord id={id} band={band} />}
    </>
  );
  return (
    <TileFrame
      label={<NameLine about={`sensor:${id}`} name={deviceName(info)} measured={tight && measured} short />}
      quality={quality}
      alarm={alarm}
      mark={quality === "fresh" ? undefined : <LiveMark id={id} brief />}
      foot={
        <div className="wall-tile__foot">
          {trend && <Sparkline values={trend} band={band} />}
          {!tight && <span className="wall-tile__field">{measured}</span>}
        </div>
      }
    >
      <LiveReading id={id} field={field} where="log" />
    </TileFrame>
  );
});

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
  const chosen = settings.tiles?.map(String) ?? null;
  const capacity = columns * rows;
  const { tiles, waiting } = useLiveSelection(
    KINDS,
    (farm) => fillOverview(farm, capacity, lap, chosen),
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
