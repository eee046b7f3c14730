import { chakra, Heading, Text } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { VirtualRows, WHOLE_UP_TO } from "../../components/virtual-rows.tsx";
import { useSparklines } from "../../domain/reading/use-sparklines.ts";
import type { ListedSensor, Section } from "./model.ts";
import { SensorCard } from "./SensorCard.tsx";

/** Typical heights, CSS px; the real ones are measured. */
const ROW_PX = 76;
const CARD_PX = 220;
const HEADING_PX = 44;

interface SensorSectionsProps {
  sections: readonly Section[];
  layout: "list" | "cards";
  /** Render a row of the list; cards have their own component. */
  row: (sensor: ListedSensor) => ReactNode;
}

/** List sensors by section. A long list is virtualized: only rows near the viewport are in the document. */
export function SensorSections({ sections, layout, row }: SensorSectionsProps) {
  const cards = layout === "cards";
  const trends = useSparklines(cards ? sections.flatMap((section) => section.sensors) : []);
  const whole = sections.reduce((sum, { sensors }) => sum + sensors.length, 0);
  return sections.map(({ id, title, sensors }, place) => (
    <chakra.section
      key={`${layout} ${id}`}
      mb="7"
      css={{
        "&[data-later]": { contentVisibility: "auto" },
        mdDown: { "&[data-later]": { mx: "calc(-1 * var(--mk-spacing-page))", px: "page" } },
      }}
      data-testid="sensor-section"
      // The browser lays out rows as they come near the viewport, with an estimated height until then.
      {...(place > 0 && !cards && whole <= WHOLE_UP_TO
        ? {
            "data-later": true,
            style: { containIntrinsicBlockSize: `auto ${HEADING_PX + sensors.length * ROW_PX}px` },
          }
        : {})}
    >
      <Heading as="h2" mb="2.5" textStyle="title">
        {title}{" "}
        <Text as="span" color="fg.subtle" fontWeight="medium">
          {sensors.length}
        </Text>
      </Heading>
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
    </chakra.section>
  ));
}
