import { MISSING } from "@mulkko/shared/rules/format";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { batteryWords, signalWords } from "../../domain/fleet/fleet-words.ts";
import { HeartbeatBar } from "../../domain/fleet/HeartbeatBar.tsx";
import { type ShownDevice, useShownDevice } from "../../domain/fleet/hooks.ts";
import { StateShape } from "../../domain/fleet/StateMark.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useAge } from "../../live/hooks.ts";
import type { FleetColumn, PlacedColumn } from "./fleet-columns.ts";

interface FleetLineProps {
  /** Its key in the `fleet` stream. */
  readonly deviceKey: string;
  readonly columns: readonly PlacedColumn[];
}

/** One line for a device of any account. */
export const FleetLine = memo(function FleetLine({ deviceKey, columns }: FleetLineProps) {
  const shown = useShownDevice(deviceKey);
  if (!shown) return null;
  const { state, alarm } = shown;
  return (
    <tr
      className="wall-fleet__device"
      data-testid="fleet-device"
      data-state={state}
      data-alarm={state === "offline" || state === "lost" ? (alarm ?? undefined) : undefined}
    >
      {columns.map(({ column }) => (
        <FleetCell key={column} column={column} deviceKey={deviceKey} shown={shown} />
      ))}
    </tr>
  );
});

interface FleetCellProps {
  readonly column: FleetColumn;
  readonly deviceKey: string;
  readonly shown: ShownDevice;
}

function FleetCell({ column, deviceKey, shown }: FleetCellProps) {
  const { t } = useTranslation(["wall", "common"]);
  const { deviceType } = useLabels();
  const { device, name, state, alarm, needs } = shown;
  switch (column) {
    case "name":
      return (
        <th scope="row">
          <StateShape state={state} alarm={alarm} word={t(`common:quality.${state}`)} />
          {name}
        </th>
      );
    case "owner":
      return <td>{device.username ?? MISSING}</td>;
    case "type":
      return <td>{device.deviceType === null ? MISSING : deviceType(device.deviceType)}</td>;
    case "battery":
      return (
        <td data-figure data-low={needs.includes("battery") || undefined}>
          {batteryWords(device.battery)}
        </td>
      );
    case "signal":
      return (
        <td data-figure data-low={needs.includes("signal") || undefined}>
          {signalWords(device.rssi)}
        </td>
      );
    case "fw":
      return <td>{device.fwversion ?? MISSING}</td>;
    case "heartbeat":
      return (
        <td>
          <HeartbeatBar
            deviceKey={deviceKey}
            words={(share) =>
              share === null ? t("fleet.unseen") : t("fleet.received", { percent: Math.round(share * 100) })
            }
          />
        </td>
      );
    case "age":
      return <AgeCell heardAt={device.heardAt} />;
  }
}

/** Re-renders by itself as time passes. */
function AgeCell({ heardAt }: { heardAt: string | null }) {
  const { shortAge } = useLabels();
  const ageMs = useAge(heardAt);
  return (
    <td className="wall-fleet__age" data-figure>
      {ageMs === null ? MISSING : shortAge(ageMs)}
    </td>
  );
}
