import { List } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { Card, CardNote } from "../../components/card.tsx";
import { AlarmLine } from "../../domain/alarm/AlarmLine.tsx";
import { ALARMS_PATH, usePresentAlarms } from "../../domain/alarm/present-alarms.ts";
import { WeatherCard } from "../../domain/weather/WeatherCard.tsx";
import { AllLink } from "./AllLink.tsx";
import { NextCard, type NextCardProps } from "./NextCard.tsx";

/** Maximum number of alarms; a link leads to all of them. */
const MOST = 3;

/** Show the worst alarms; nothing without any. */
function AlarmsCard() {
  const { t } = useTranslation("dashboard");
  const alarms = usePresentAlarms();
  if (alarms.length === 0) return null;
  const more = alarms.length - MOST;
  return (
    <Card title={t("alarms")} flush aside={<AllLink to={ALARMS_PATH} />}>
      <List.Root variant="plain" aria-label={t("alarms")}>
        {alarms.slice(0, MOST).map((line) => (
          <List.Item key={line.id} borderTopWidth="1px">
            <AlarmLine alarms={line.alarms} compact />
          </List.Item>
        ))}
      </List.Root>
      {more > 0 && <CardNote>{t("alarmsMore", { count: more })}</CardNote>}
    </Card>
  );
}

/** Show alarms, weather and coming waterings. Loaded after the controls. */
export function DashboardAside(props: NextCardProps) {
  return (
    <>
      <AlarmsCard />
      <WeatherCard />
      <NextCard {...props} />
    </>
  );
}
