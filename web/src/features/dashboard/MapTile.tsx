import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { FarmFromAbove } from "../../components/scenes/farm-from-above.tsx";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { type Place, pinsOf } from "./pins.ts";
import { SceneTile } from "./SceneTile.tsx";

const KINDS = ["farm.listing", "sensor.listing"] as const;

interface Placed {
  readonly places: readonly Place[];
  readonly farms: readonly string[];
}

function placed({ farms, sensors }: LiveFarm): Placed {
  const places: Place[] = [];
  for (const [id, { info }] of sensors) {
    const { latitude, longitude } = info;
    // 0 is "not placed".
    if (latitude && longitude) places.push({ id, latitude, longitude });
  }
  return { places, farms: [...farms.values()].map(({ info }) => info.name) };
}

const same = (a: Placed, b: Placed) =>
  a.farms.join() === b.farms.join() &&
  a.places.length === b.places.length &&
  a.places.every((place, index) => {
    const other = b.places[index];
    return other?.id === place.id && other.latitude === place.latitude && other.longitude === place.longitude;
  });

/** The farm from above: where its sensors stand to each other. */
export function MapTile() {
  const { t } = useTranslation("dashboard");
  const { places, farms } = useLiveSelection(KINDS, useCallback(placed, []), same);
  return (
    <SceneTile
      to="/maps"
      caption={t("tile.map")}
      scene={
        <>
          <FarmFromAbove pins={false} />
          <span className="map-tile__pins" aria-hidden>
            {pinsOf(places).map(({ id, x, y }) => (
              <span key={id} style={{ insetInlineStart: `${x * 100}%`, insetBlockStart: `${y * 100}%` }} />
            ))}
          </span>
        </>
      }
    >
      <strong>{t("map.farms", { count: farms.length })}</strong>
      <span>{farms.length === 0 ? t("map.placed", { count: places.length }) : farms.join(" · ")}</span>
    </SceneTile>
  );
}
