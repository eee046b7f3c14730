import { chakra } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { Card, CardNote } from "../../components/card.tsx";
import { panelPath } from "../../domain/farm/device-paths.ts";
import type { NextWaterings } from "../../domain/watering/next-watering.ts";
import { ValveRow } from "../../domain/watering/valve-row.tsx";
import { useKnowledge } from "../../live/hooks.ts";
import { AllLink } from "./AllLink.tsx";
import { listedValves, type ValveNow } from "./valve-now.ts";

/** Maximum number of valves at rest; a link leads to the others. */
const MOST = 10;

/** List the valves as they are now; the list keeps its places (UI-5). */
export function ValveList({ valves, next }: { valves: readonly ValveNow[]; next: NextWaterings }) {
  const { t } = useTranslation("dashboard");
  // The stored farm of the last visit has only readings, so a lack of valves proves nothing.
  const { known } = useKnowledge();
  return (
    <Card title={t("valves")} flush aside={<AllLink to="/irrigation" />}>
      {valves.length === 0 ? (
        <CardNote>{t(known ? "noValves" : "valvesUnknown")}</CardNote>
      ) : (
        <chakra.ul divideY="1px">
          {listedValves(valves, MOST).map(({ unit, channel }) => (
            <li key={channel.id}>
              <ValveRow
                testId="valve-line"
                to={panelPath(unit.id, channel.value.number)}
                channel={channel.value}
                name={channel.name}
                next={next.get(channel.id)}
              />
            </li>
          ))}
        </chakra.ul>
      )}
    </Card>
  );
}
