import type { Alarm } from "@mulkko/shared/live/alarm";
import { useCallback } from "react";
import { AlarmLine } from "../../domain/alarm/AlarmLine.tsx";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import type { FarmItem } from "./farm-list.ts";

const ALARMS = ["alarm"] as const;

const sameAlarms = (a: readonly Alarm[], b: readonly Alarm[]): boolean =>
  a.length === b.length && a.every((alarm, index) => alarm === b[index]);

/** List the farm's valves that were opened on site, each with a way to give it an end (RUN-3). */
export function OutsideOpenings({ farm }: { farm: FarmItem }) {
  const alarms = useLiveSelection(
    ALARMS,
    useCallback(
      (live: LiveFarm) => {
        const keys = new Set(farm.units.flatMap(({ channels }) => channels.map(({ id }) => `channel:${id}`)));
        return [...live.alarms.values()].filter(
          ({ type, active, key }) => type === "external-open" && active && keys.has(key),
        );
      },
      [farm],
    ),
    sameAlarms,
  );
  return alarms.map((alarm) => <AlarmLine key={alarm.id} alarm={{ kind: "one", id: alarm.id, alarm }} />);
}
