import { Settings2Icon } from "lucide-react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import { DropIcon } from "../../components/icons.tsx";
import { NO_FARM } from "../../domain/farm/farm-members.ts";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { sameWater } from "../../domain/watering/water-sum.ts";
import { type LiveFarm, useLinkQuality, useLiveSelection } from "../../live/hooks.ts";
import { DaySumLine } from "./DaySumLine.tsx";
import type { DaySum } from "./day-sum.ts";
import { FARM_SORTS, type FarmItem, readSort, sortFarms, waterOfFarm, worstAlarm } from "./farm-list.ts";
import { farmNamePath, farmPath } from "./paths.ts";
import "./farm-list.css";

const CHANNELS = ["channel"] as const;
const ALARMS = ["alarm"] as const;

export interface FarmListProps {
  farms: readonly FarmItem[];
  /** The farm that is open beside the list; null for none. */
  chosen: string | null;
  /** Today's waterings of a farm; null while unknown. */
  sumOf: (farmId: string) => DaySum | null;
  /** False if waterings of today may be missing (WAT-4). */
  wholeDay: boolean;
}

/** The farms in the order that a person chose: what runs on each, what is wrong, and what it got today. */
export function FarmList({ farms, chosen, sumOf, wholeDay }: FarmListProps) {
  const { t } = useTranslation("irrigation");
  const [params, setParams] = useSearchParams();
  const sort = readSort(params.get("sort"));
  const choose = (value: string) => {
    const next = new URLSearchParams(params);
    next.set("sort", value);
    setParams(next, { replace: true });
  };
  return (
    <nav className="farm-list" aria-label={t("farms")}>
      <label className="farm-list__sort">
        <span>{t("sort.label")}</span>
        <select value={sort} onChange={(event) => choose(event.target.value)}>
          {FARM_SORTS.map((each) => (
            <option key={each} value={each}>
              {t(`sort.${each}`)}
            </option>
          ))}
        </select>
      </label>
      <ul className="farm-list__rows">
        {sortFarms(farms, sort).map((farm) => (
          <li key={farm.id} className="farm-list__row" data-chosen={farm.id === chosen || undefined}>
            <FarmRow
              farm={farm}
              chosen={farm.id === chosen}
              sort={params.get("sort")}
              sum={sumOf(farm.id)}
              wholeDay={wholeDay}
            />
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface FarmRowProps {
  farm: FarmItem;
  chosen: boolean;
  sort: string | null;
  sum: DaySum | null;
  wholeDay: boolean;
}

function FarmRow({ farm, chosen, sort, sum, wholeDay }: FarmRowProps) {
  const { t } = useTranslation(["irrigation", "common"]);
  const links = useLinkQuality();
  const water = useLiveSelection(
    CHANNELS,
    useCallback((live: LiveFarm) => waterOfFarm(farm, live.channels, links), [farm, links]),
    sameWater,
  );
  const alarm = useLiveSelection(
    ALARMS,
    useCallback((live: LiveFarm) => worstAlarm(farm, live.alarms.values()), [farm]),
  );
  const valves = farm.units.reduce((count, { channels }) => count + channels.length, 0);
  return (
    <>
      <Link
        className="farm-row"
        data-testid="farm-row"
        to={farmPath(farm.id) + (sort === null ? "" : `&sort=${encodeURIComponent(sort)}`)}
        aria-current={chosen ? "page" : undefined}
      >
        <span className="farm-row__name" data-testid="farm-name">
          {farm.name}
          {alarm !== null && <AlarmBadge priority={alarm} />}
        </span>
        {farm.description !== "" && <span className="farm-row__about">{farm.description}</span>}
        <span className="farm-row__now" data-running={water.runs > 0 || undefined}>
          {water.runs > 0 && <DropIcon />}
          {water.runs > 0
            ? t("runningOf", { count: water.runs, total: valves })
            : valves > 0
              ? t("valves", { count: valves })
              : t("devices", { count: farm.devices.length })}
          {water.ran > 0 && ` · ${t("common:water.unsure", { count: water.ran })}`}
          {water.unknown > 0 && ` · ${t("common:water.unknown", { count: water.unknown })}`}
        </span>
        {sum !== null && sum.count > 0 && (
          <span className="farm-row__sum">
            <DaySumLine sum={sum} whole={wholeDay} />
          </span>
        )}
      </Link>
      {farm.id !== NO_FARM && (
        <OwnLink
          className="farm-row__edit"
          to={farmNamePath(farm.id)}
          aria-label={t("rename", { name: farm.name })}
          title={t("renameShort")}
        >
          <Settings2Icon size={20} />
        </OwnLink>
      )}
    </>
  );
}
