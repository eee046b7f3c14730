import type { ChannelValue } from "@mulkko/shared/live/devices";
import { useCallback } from "react";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { type Band, bandOf, RangeBand, type RangeBandProps } from "./range-band.tsx";

const CHANNELS = ["channel"] as const;

const isSame = (one: Band | null, other: Band | null) => one?.low === other?.low && one?.high === other?.high;

/** Return the band of a sensor (UI-4): that of the valves that it steers; null if they want different ones. */
export function bandOfSensor(
  channels: Iterable<Pick<ChannelValue, "sensorIds" | "modes">>,
  id: string,
): Band | null {
  const bands = [...channels].flatMap(({ sensorIds, modes }) => {
    const band = sensorIds.some((each) => `${each}` === id) ? bandOf(modes) : null;
    return band ? [band] : [];
  });
  const [first = null] = bands;
  return bands.every((band) => isSame(band, first)) ? first : null;
}

interface SensorBandProps extends Pick<RangeBandProps, "value" | "quality" | "small"> {
  id: string;
}

/** Return the band of a sensor's measurement, and follow it; null for all but a soil moisture. */
export function useSensorBand(id: string, field: string): Band | null {
  return useLiveSelection(
    CHANNELS,
    useCallback(
      ({ channels }: LiveFarm) => (field === "moisture" ? bandOfSensor(channels.values(), id) : null),
      [id, field],
    ),
    isSame,
  );
}

/** Show the soil moisture of a sensor against the band of its valve; nothing without one. */
export function SensorBand({ id, ...rest }: SensorBandProps) {
  const band = useSensorBand(id, "moisture");
  return band && <RangeBand band={band} {...rest} />;
}
