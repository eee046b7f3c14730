import type { DeviceType } from "@mulkko/shared/catalogue/device-type";
import { useCallback, useEffect, useMemo, useState } from "react";
import { type LiveFarm, useLiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { type SensorRow, sensorRows, tablesOf, tableType } from "./model.ts";

const SENSORS = ["sensor.listing"] as const;

/** How long nobody may have touched the page before rows move under the pointer, ms. */
const IDLE_MS = 30_000;

/** What counts as touching it. */
const TOUCHES = ["pointermove", "pointerdown", "keydown", "wheel", "touchmove"] as const;

/** Calls back every 30 s in which nobody touched the page. */
function useIdle(run: () => void): void {
  useEffect(() => {
    let timer = setInterval(run, IDLE_MS);
    const again = () => {
      clearInterval(timer);
      timer = setInterval(run, IDLE_MS);
    };
    for (const touch of TOUCHES) window.addEventListener(touch, again, { passive: true });
    return () => {
      clearInterval(timer);
      for (const touch of TOUCHES) window.removeEventListener(touch, again);
    };
  }, [run]);
}

/** The types whose tables an address opens, those that are there. */
export function useTables(type: string): readonly string[] {
  const tables = useLiveSelection(
    SENSORS,
    useCallback(({ sensors }: LiveFarm) => tablesOf(sensors, type).join(), [type]),
  );
  return useMemo(() => tables.split(","), [tables]);
}

/**
 * The rows of a type's table as they were when it was last put in order: their cells are live, but no row moves
 * away under a finger. They are taken anew when a sensor comes, goes or is renamed, when `moment` changes, and
 * while nobody touches the page.
 */
export function useTableRows(name: string, moment: string): { type: DeviceType; rows: readonly SensorRow[] } {
  const farm = useLiveFarm();
  const [round, setRound] = useState(0);
  useIdle(useCallback(() => setRound((count) => count + 1), []));
  const who = useLiveSelection(
    SENSORS,
    useCallback(
      ({ sensors }: LiveFarm) => {
        const type = tableType(sensors, name);
        return sensorRows(sensors, type)
          .map(({ id, name: called, serial, description }) => [id, called, serial, description].join("\t"))
          .join("\n");
      },
      [name],
    ),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: they say when the picture is taken, not of what
  return useMemo(() => {
    const { sensors } = farm();
    const type = tableType(sensors, name);
    return { type, rows: sensorRows(sensors, type) };
  }, [farm, name, who, moment, round]);
}
