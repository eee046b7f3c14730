import { type ReactNode, useMemo } from "react";
import type { TrendSensor, Trends } from "../../farm/trends.ts";
import { useSecondTask } from "../../farm/use-second-task.ts";
import { useTrends } from "../../farm/use-trends.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { VirtualRows, WHOLE_UP_TO } from "../../ui/list/virtual-rows.tsx";
import type { ListedSensor, Section } from "./model.ts";
import { SensorCard } from "./SensorCard.tsx";

/** As they mostly are, CSS px; the real heights are measured. */
const ROW_PX = 76;
const CARD_PX = 220;
const HEADING_PX = 44;

export interface SensorSectionsProps {
  sections: readonly Section[];
  layout: "list" | "cards";
  /** A row of the list; cards draw themselves. */
  row: (sensor: ListedSensor) => ReactNode;
}

/** The sensors under their headings; of a long list only what is near the window stands in the page. */
export function SensorSections({ sections, layout, row }: SensorSectionsProps) {
  const { t } = useTranslation("sensors");
  const { deviceType } = useLabels();
  const cards = layout === "cards";
  const second = useSecondTask();
  const trends = useSectionTrends(sections, cards);
  const whole = sections.reduce((sum, { sensors }) => sum + sensors.length, 0);
  const words = (heading: Section["heading"]) =>
    heading.kind === "type" ? deviceType(heading.type) : heading.kind === "farm" ? heading.name : t("noFarm");
  return (second ? sections : []).map(({ id, heading, sensors }, place) => (
    <section
      key={`${layout} ${id}`}
      className="sensors__section"
      // Rows that all stand in the page are laid out as they come near; their height is a guess until then.
      {...(place > 0 && !cards && whole <= WHOLE_UP_TO
        ? {
            "data-later": true,
            style: { containIntrinsicBlockSize: `auto ${HEADING_PX + sensors.length * ROW_PX}px` },
          }
        : {})}
    >
      <h2 className="sensors__heading">
        {words(heading)} <span>{sensors.length}</span>
      </h2>
      <VirtualRows
        className={cards ? "sensors__cards" : "sensors__rows"}
        count={sensors.length}
        whole={whole}
        estimate={cards ? CARD_PX : ROW_PX}
        keyOf={(index) => sensors[index]?.id ?? `${index}`}
        render={(index) => {
          const sensor = sensors[index];
          if (!sensor) return null;
          return cards ? <SensorCard id={sensor.id} trend={trends.get(sensor.id)} /> : row(sensor);
        }}
      />
    </section>
  ));
}

/** The small lines of the cards, asked for once per set of sensors. */
function useSectionTrends(sections: readonly Section[], wanted: boolean): Trends {
  const key = wanted
    ? sections.flatMap(({ sensors }) => sensors.map(({ id, deviceType: type }) => `${id} ${type}`)).join()
    : "";
  const trended = useMemo<TrendSensor[]>(
    () =>
      key.split(",").flatMap((entry) => {
        const [id, type] = entry.split(" ");
        return id && type ? [{ id, deviceType: type }] : [];
      }),
    [key],
  );
  return useTrends(trended);
}
