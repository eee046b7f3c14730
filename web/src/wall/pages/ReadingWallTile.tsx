import { deviceTypeOf, fieldOf } from "@mulkko/shared/catalogue/registry";
import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { memo, useCallback, useMemo } from "react";
import { LiveMark, LiveReading, useSensorQuality } from "../../domain/reading/LiveReading.tsx";
import { TileFrame } from "../../domain/reading/reading-tile.tsx";
import { Sparkline } from "../../domain/reading/sparkline.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { type LiveFarm, useLivePart, useLiveSelection } from "../../live/hooks.ts";
import { FarmLabel } from "../FarmLabel.tsx";
import { useWall } from "../wall-context.ts";
import { desiredBand } from "./desired-band.ts";
import { useAlarmOf } from "./use-alarm-of.ts";

const CHANNELS = ["channel"] as const;
const infoOf = (value: SensorValue | undefined) => value?.info;

type Band = ReturnType<typeof desiredBand>;
const sameBand = (a: Band, b: Band): boolean => a?.low === b?.low && a?.high === b?.high;

interface ReadingWallTileProps {
  id: string;
  field: string;
  trend: readonly (number | null)[] | undefined;
}

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
  const alarm = useAlarmOf(useMemo(() => [`sensor:${id}`], [id]));
  const band = useLiveSelection(
    CHANNELS,
    useCallback(({ channels }: LiveFarm) => desiredBand(channels, id, name), [id, name]),
    sameBand,
  );
  if (!info) return null;
  const field = fieldOf(deviceTypeOf(info.deviceType), name);
  const measured = <span className="wall-tile__field">{labels.field(field.name)}</span>;
  return (
    <TileFrame
      label={
        <>
          <FarmLabel about={`sensor:${id}`} short />
          <span className="wall-tile__name">{deviceName(info)}</span>
          {tight && measured}
        </>
      }
      quality={quality}
      alarm={alarm}
      mark={quality === "fresh" ? undefined : <LiveMark id={id} />}
      foot={
        <div className="wall-tile__foot">
          {trend && <Sparkline values={trend} band={band} />}
          {!tight && measured}
        </div>
      }
    >
      <LiveReading id={id} field={field} where="log" />
    </TileFrame>
  );
});
