import { useMemo } from "react";
import { NOTHING_KNOWN, nextOfChannels } from "../../farm/next-watering.ts";
import { usePreview } from "../../farm/use-preview.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useLink, useLiveIds } from "../../live/hooks.ts";
import { useAccount, useReadOnly } from "../../rest/hooks.ts";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { useLoaded } from "../../ui/lazy/use-loaded.ts";
import { FarmHouse } from "../../ui/scenes/farm-house.tsx";
import { SensorHillside } from "../../ui/scenes/sensor-hillside.tsx";
import { WaterGate } from "../../ui/scenes/water-gate.tsx";
import { IrrigationNow } from "./IrrigationNow.tsx";
import { MapTile } from "./MapTile.tsx";
import type { NextCardProps } from "./NextCard.tsx";
import { SceneTile } from "./SceneTile.tsx";
import { SensorsNow } from "./SensorsNow.tsx";
import { useValves } from "./use-valves.ts";
import { ValveList } from "./ValveList.tsx";
import { WidgetTiles } from "./WidgetTiles.tsx";
import "./dashboard.css";

// What is not needed to act comes after what is: the first load has a budget.
const bringAside = async () => (await import("./DashboardAside.tsx")).DashboardAside;

/** The farm at a glance: four tiles, the valves now and next, and the readings that matter to this person. */
export function DashboardPage() {
  const { t } = useTranslation("dashboard");
  const account = useAccount();
  const valves = useValves();
  const preview = usePreview();
  const next = useMemo(
    () => (preview.value ? nextOfChannels(preview.value) : NOTHING_KNOWN),
    [preview.value],
  );
  const readOnly = useReadOnly();
  const starting = useLink((link) => link.screen.state === "starting");
  const empty = useLiveIds("sensor").length === 0;
  const name = account.nickname || account.username;
  return (
    <div className="dashboard">
      <h1 className="visually-hidden">{t("title")}</h1>
      <div className="dashboard__tiles">
        <SceneTile to="/irrigation" caption={t("tile.irrigation")} scene={<WaterGate align="xMidYMax" />}>
          <IrrigationNow valves={valves} next={next} />
        </SceneTile>
        <SceneTile to="/sensors" caption={t("tile.sensors")} scene={<SensorHillside align="xMidYMax" />}>
          <SensorsNow />
        </SceneTile>
        <MapTile />
        {!readOnly && (
          <SceneTile to="/account" caption={t("tile.account")} scene={<FarmHouse align="xMidYMax" />}>
            <strong>{name}</strong>
            <span>{account.farmAddress || account.username}</span>
          </SceneTile>
        )}
      </div>
      {starting && empty ? (
        <div className="dashboard__loading">
          <Skeleton height="14rem" />
          <Skeleton height="14rem" />
        </div>
      ) : (
        <div className="dashboard__below">
          <ValveList valves={valves} next={next} />
          <WidgetTiles />
          <div className="dashboard__aside">
            <Aside valves={valves} preview={preview} />
          </div>
        </div>
      )}
    </div>
  );
}

/** The rest of the page works without it when loading fails. */
function Aside(props: NextCardProps) {
  const aside = useLoaded(bringAside);
  if (aside.state === "failed") return null;
  if (aside.state === "loading") return <Skeleton height="9.5rem" />;
  return <aside.value {...props} />;
}
