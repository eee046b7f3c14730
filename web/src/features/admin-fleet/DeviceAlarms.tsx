import { useCallback } from "react";
import { shallow } from "zustand/shallow";
import { AlarmList } from "../../domain/alarm/AlarmLine.tsx";
import { FleetAlarmLine } from "../../domain/fleet/FleetAlarmLine.tsx";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { useFleetSelection } from "../../domain/fleet/hooks.ts";
import { alarmsOfDevice } from "../../domain/fleet/urgent.ts";

const ALARMS = ["alarm"] as const;

interface DeviceAlarmsProps {
  readonly account: string;
  readonly deviceId: string | number;
}

/** List the urgent alarms of a device, each with the close of its valve (WARN-6). */
export function DeviceAlarms({ account, deviceId }: DeviceAlarmsProps) {
  const alarms = useFleetSelection(
    ALARMS,
    useCallback(
      (store: FleetStore) => alarmsOfDevice(store.all("alarm").values(), account, deviceId),
      [account, deviceId],
    ),
    shallow,
  );
  if (alarms.length === 0) return null;
  return (
    <AlarmList>
      {alarms.map((alarm) => (
        <li key={alarm.id}>
          <FleetAlarmLine alarm={alarm} />
        </li>
      ))}
    </AlarmList>
  );
}
