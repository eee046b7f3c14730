import { Button, Input } from "@chakra-ui/react";
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router-dom";
import type { TrendSensor } from "../../farm/trends.ts";
import { useTrends } from "../../farm/use-trends.ts";
import { useLabels } from "../../i18n/labels.ts";
import { type LiveFarm, useLink, useLiveSelection } from "../../live/hooks.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { ChoiceSegments } from "../../ui/form/choice-segments.tsx";
import { PageHeading } from "../../ui/layout/page-heading.tsx";
import { EmptyField } from "../../ui/scenes/empty-field.tsx";
import { useSurface } from "../../ui/theme/use-surface.ts";
import { CategoryChips } from "./CategoryChips.tsx";
import {
  categoryOf,
  countCategories,
  filterSensors,
  listSensors,
  type Section,
  sameList,
  sectionsByFarm,
  sectionsByType,
} from "./model.ts";
import { SensorCard } from "./SensorCard.tsx";
import { SensorRow } from "./SensorRow.tsx";
import "./sensors.css";

const SENSORS = ["sensor"] as const;
const FARMS = ["farm"] as const;
const CONTROLLERS = ["controller", "sensor"] as const;

const farmsIn = ({ farms }: LiveFarm) => new Map(farms);
const sameFarms = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>) =>
  a.size === b.size && [...a].every(([id, value]) => b.get(id) === value);

/** How many things with valves there are, as `count troubled`, which a selection can compare. */
function countControllers({ controllers, sensors }: LiveFarm): string {
  const boxes = [
    ...controllers.values(),
    ...[...sensors.values()].filter(({ info }) => info.deviceType === "COT"),
  ];
  return `${boxes.length} ${boxes.filter(({ quality }) => quality !== "fresh").length}`;
}

/** All sensors with their live readings. `deviceType` in the address narrows to its category, `by` groups. */
export function SensorsPage() {
  const { t } = useTranslation(["sensors", "common"]);
  const { deviceType } = useLabels();
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const [text, setText] = useState("");
  const typed = useDeferredValue(text);
  const [troubled, setTroubled] = useState(false);
  const sensors = useLiveSelection(
    SENSORS,
    useCallback((live: LiveFarm) => listSensors(live.sensors), []),
    sameList,
  );
  const farms = useLiveSelection(FARMS, useCallback(farmsIn, []), sameFarms);
  const boxes = useLiveSelection(CONTROLLERS, useCallback(countControllers, []));
  const starting = useLink((link) => link.screen.state === "starting");

  const chosenType = params.get("deviceType");
  const category = chosenType === null ? null : categoryOf(chosenType);
  const by = params.get("by") === "farm" ? "farm" : "type";
  const [count = 0, troubledBoxes = 0] = boxes.split(" ").map(Number);
  const categories = countCategories(sensors, { count, troubled: troubledBoxes });
  const shown = filterSensors(sensors, { types: category?.types ?? null, text: typed, troubled }, deviceType);
  const sections = by === "farm" ? sectionsByFarm(shown, farms) : sectionsByType(shown);
  const silent = sensors.filter(({ quality }) => quality !== "fresh").length;

  const choose = (name: string | null) => {
    if (name === "COT") void navigate("/sensors/cot");
    else if (name === null) void navigate({ pathname: "/sensors", search: by === "farm" ? "?by=farm" : "" });
    else void navigate(`/sensors/type?deviceType=${encodeURIComponent(name)}`);
  };

  if (sensors.length === 0 && count === 0) {
    return starting ? null : <EmptyState scene={<EmptyField />} title={t("empty")} />;
  }
  return (
    <>
      <PageHeading
        title={category ? deviceType(category.name) : t("title")}
        note={
          silent === 0
            ? t("allHeard", { total: sensors.length })
            : t("counts", { total: sensors.length, silent })
        }
        actions={
          <ChoiceSegments
            label={t("by.label")}
            value={by}
            choices={[
              { value: "type", label: t("by.type") },
              { value: "farm", label: t("by.farm") },
            ]}
            onChoose={(value) => {
              params.set("by", value);
              setParams(params, { replace: true });
            }}
          />
        }
      />
      <CategoryChips categories={categories} chosen={category?.name ?? null} onChoose={choose} />
      <div className="sensors__tools">
        <Input
          type="search"
          className="sensors__search"
          placeholder={t("search")}
          aria-label={t("search")}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {(silent > 0 || troubled) && (
          <Button
            size="sm"
            variant={troubled ? "solid" : "outline"}
            aria-pressed={troubled}
            onClick={() => setTroubled(!troubled)}
          >
            {t("troubled", { count: silent })}
          </Button>
        )}
      </div>
      {sections.length === 0 && <p className="sensors__none">{t("nothingFound")}</p>}
      <Sections sections={sections} />
    </>
  );
}

function Sections({ sections }: { sections: readonly Section[] }) {
  const { t } = useTranslation("sensors");
  const { deviceType } = useLabels();
  const phone = useSurface() === "phone";
  const key = sections
    .flatMap(({ sensors }) => sensors.map(({ id, deviceType: type }) => `${id} ${type}`))
    .join();
  const trended = useMemo<TrendSensor[]>(
    () =>
      key.split(",").flatMap((entry) => {
        const [id, type] = entry.split(" ");
        return id && type && !phone ? [{ id, deviceType: type }] : [];
      }),
    [key, phone],
  );
  const trends = useTrends(trended);
  const words = (heading: Section["heading"]) =>
    heading.kind === "type" ? deviceType(heading.type) : heading.kind === "farm" ? heading.name : t("noFarm");
  return sections.map(({ id, heading, sensors }) => (
    <section key={id} className="sensors__section">
      <h2 className="sensors__heading">
        {words(heading)} <span>{sensors.length}</span>
      </h2>
      <ul className={phone ? "sensors__rows" : "sensors__cards"}>
        {sensors.map((sensor) => (
          <li key={sensor.id}>
            {phone ? (
              <SensorRow id={sensor.id} />
            ) : (
              <SensorCard id={sensor.id} trend={trends.get(sensor.id)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  ));
}
