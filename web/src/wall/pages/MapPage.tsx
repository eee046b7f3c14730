import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMapStyleUrl } from "../../api/extensions.ts";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import { useThing } from "../../domain/farm/use-names.ts";
import { createMarkerSource } from "../../domain/map/device-markers.ts";
import { FarmMap } from "../../domain/map/farm-map.tsx";
import type { FarView } from "../../domain/map/farm-map-view.tsx";
import { farmOutlines } from "../../domain/map/geometry.ts";
import type { MapOutline } from "../../domain/map/marker.tsx";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useLinkQuality, useLiveSelection } from "../../live/hooks.ts";
import { FarmLabel } from "../FarmLabel.tsx";
import { useWall } from "../wall-context.ts";
import { Empty } from "./Empty.tsx";
import { sameUrgent, type UrgentPlace, urgentPlaces } from "./map-callouts.ts";
import "./map-page.css";

const MARKED = ["sensor", "alarm"] as const;
const OUTLINED = ["sensor", "farm"] as const;
const URGENT = ["alarm", "sensor.listing", "channel"] as const;
/** Maximum number of callouts at one place of the map, and beside it. */
const TOGETHER = { wide: 3, tight: 1 } as const;
const BESIDE = { wide: 5, tight: 1 } as const;
/** Scale relative to a desktop reader: enlarges 12 px names to a wall's minimum size. */
const SCALE = 32 / 12;
const nothing = () => undefined;

const sameOutlines = (a: readonly MapOutline[], b: readonly MapOutline[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** Show the whole farm on a map with callouts for urgent alarms only. */
export default function MapPage() {
  const { t } = useTranslation("wall");
  const { factor, tight } = useWall();
  const [source] = useState(createMarkerSource);
  const link = useLinkQuality();
  const markers = useLiveSelection(MARKED, (farm) => source(farm, null, link));
  const outlines = useLiveSelection(
    OUTLINED,
    ({ farms, sensors }) => farmOutlines(farms, sensors),
    sameOutlines,
  );
  const urgent = useLiveSelection(URGENT, urgentPlaces, sameUrgent);
  const drawn = tight ? "tight" : "wide";
  const far = useMemo<FarView>(
    () => ({
      scale: SCALE * factor,
      together: TOGETHER[drawn],
      more: (count) => t("alarms.waiting", { count }),
      callouts: urgent.flatMap((each) =>
        each.place === null ? [] : [{ id: each.id, ...each.place, content: <Callout urgent={each} /> }],
      ),
    }),
    [factor, drawn, urgent, t],
  );
  const styleUrl = useMapStyleUrl();
  return (
    <div className="wall-map">
      {markers.length === 0 && <Empty>{t("map.none")}</Empty>}
      {markers.length > 0 && styleUrl !== undefined && (
        <FarmMap
          label={t("map.label")}
          markers={markers}
          outlines={outlines}
          picked={null}
          onPick={nothing}
          focus={null}
          styleUrl={styleUrl}
          far={far}
        />
      )}
      <Beside urgent={urgent.filter(({ place }) => place === null)} most={BESIDE[drawn]} />
    </div>
  );
}

/** Urgent alarms without a place. */
function Beside({ urgent, most }: { urgent: readonly UrgentPlace[]; most: number }) {
  const { t } = useTranslation("wall");
  if (urgent.length === 0) return null;
  return (
    <ul className="wall-map__beside">
      {urgent.slice(0, most).map((each) => (
        <li key={each.id}>
          <Callout urgent={each} />
        </li>
      ))}
      {urgent.length > most && (
        <li className="wall-more">{t("alarms.waiting", { count: urgent.length - most })}</li>
      )}
    </ul>
  );
}

function Callout({ urgent: { alarm } }: { urgent: UrgentPlace }) {
  const { alarmType } = useLabels();
  const { narrow } = useWall();
  const thing = useThing(alarm);
  return (
    <div className="wall-callout" data-priority={alarm.priority}>
      <AlarmBadge priority={alarm.priority} />
      <p>
        <strong>
          {thing && <FarmLabel about={alarm.key} short={narrow} />}
          {thing ? <ThingTitle {...thing} /> : alarmType(alarm.type)}
        </strong>
        {thing && <span>{alarmType(alarm.type)}</span>}
      </p>
    </div>
  );
}
