import type { FleetDeviceValue } from "@mulkko/shared/live/fleet";
import { memo, useCallback } from "react";
import { FLEET_STATES, nameOf, rankOf } from "../../fleet/device-state.ts";
import type { FleetStore } from "../../fleet/fleet-store.ts";
import { useFleet, useFleetDevice, useFleetSelection, useFleetStatus } from "../../fleet/hooks.ts";
import { tallyOf } from "../../fleet/morning.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useAge, useShownQuality } from "../../live/hooks.ts";
import { QualityMark } from "../../ui/reading/quality-mark.tsx";
import { useRoom } from "../use-viewport.ts";
import { useWall } from "../wall-context.ts";
import "./fleet-page.css";

const DEVICES = ["device"] as const;
/** Height of a row with the gap below it, and of the counts above them all, px of the drawn screen. */
const ROW_PX = { wide: 92, tight: 66 } as const;
const COUNTS_PX = { wide: 190, tight: 118 } as const;

const sameText = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const countAll = (store: FleetStore) => tallyOf(store.all("device"));

/** The worst of all accounts' devices: silent controllers, then silent sensors, the longest silent first. */
function worstOf(devices: ReadonlyMap<string, FleetDeviceValue>, most: number): string[] {
  return [...devices]
    .map(([key, device]) => ({ key, rank: rankOf(device), heardAt: device.heardAt ?? "" }))
    .sort((a, b) => a.rank - b.rank || (a.heardAt < b.heardAt ? -1 : 1))
    .slice(0, most)
    .map(({ key }) => key);
}

/** For an administrator's screen: how all accounts' devices stand, and the worst of them. */
export default function FleetPage() {
  useFleet();
  const { t } = useTranslation(["wall", "common"]);
  const { factor, tight } = useWall();
  const drawn = tight ? "tight" : "wide";
  const status = useFleetStatus();
  const [box, room] = useRoom<HTMLDivElement>();
  const rows = room ? Math.max(1, Math.floor((room.height / factor - COUNTS_PX[drawn]) / ROW_PX[drawn])) : 0;
  const counts = useFleetSelection(DEVICES, countAll, sameText);
  const worst = useFleetSelection(
    DEVICES,
    useCallback((store: FleetStore) => worstOf(store.all("device"), rows), [rows]),
    sameText,
  );
  return (
    <div className="wall-fleet" ref={box}>
      <dl className="wall-fleet__counts">
        {FLEET_STATES.map((state) => (
          <div key={state}>
            <dt>{t(`common:quality.${state}`)}</dt>
            <dd>{counts[state]}</dd>
          </div>
        ))}
      </dl>
      {worst.length === 0 && (
        <p className="wall-empty">{t(status.state === "refused" ? "fleet.refused" : "fleet.asking")}</p>
      )}
      <ul className="wall-fleet__rows">
        {worst.map((key) => (
          <FleetRow key={key} of={key} />
        ))}
      </ul>
    </div>
  );
}

const FleetRow = memo(function FleetRow({ of }: { of: string }) {
  const { deviceType } = useLabels();
  const device = useFleetDevice(of);
  const quality = useShownQuality(device?.quality ?? null);
  const age = useAge(device?.heardAt ?? null);
  if (!device) return null;
  return (
    <li className="wall-fleet__row" data-quality={quality ?? "never"}>
      <strong>{nameOf(device)}</strong>
      <span>{device.username ?? device.account}</span>
      <span className="wall-fleet__type">
        {device.deviceType === null ? "" : deviceType(device.deviceType)}
      </span>
      <QualityMark quality={quality} ageMs={age} words />
    </li>
  );
});
