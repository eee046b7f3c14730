import type { DeviceType } from "@mulkko/shared/catalogue/device-type";
import { useCallback, useEffect, useMemo, useState } from "react";
import { type LiveFarm, useLiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { type SensorRow, sensorRows, tablesOf, tableType } from "./model.ts";

const SENSORS = ["sensor.listing"] as const;

/** Milliseconds without user input after which rows may move. */
const IDLE_MS = 30_000;

/** Events that count as user input. */
const TOUCHES = ["pointermove", "pointerdown", "keydown", "wheel", "touchmove"] as const;

/** Call `run` after every 30 s without user input. */
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

/** Return the present types whose tables an address opens. */
export function useTables(type: string): readonly string[] {
  const tables = useLiveSelection(
    SENSORS,
    useCallback(({ sensors }: LiveFarm) => tablesOf(sensors, type).join(), [type]),
  );
  return useMemo(() => tables.split(","), [tables]);
}

/**
 * Return the rows of a type's table as last sorted. Their cells are live, but no row moves under the pointer.
 * Rows are sorted again when a sensor is added, removed or renamed, when `moment` changes, and without user
 * input.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: they decide when the rows are sorted again, not their content
  return useMemo(() => {
    const { sensors } = farm();
    const type = tableType(sensors, name);
    return { type, rows: sensorRows(sensors, type) };
  }, [farm, name, who, moment, round]);
}
