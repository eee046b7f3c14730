import { WeatherCard } from "../../domain/weather/WeatherCard.tsx";
import { AlarmsCard } from "./AlarmsCard.tsx";
import { NextCard, type NextCardProps } from "./NextCard.tsx";

/** Show alarms, weather and coming waterings. Loaded after what is needed to act. */
export function DashboardAside(props: NextCardProps) {
  return (
    <>
      <AlarmsCard />
      <WeatherCard />
      <NextCard {...props} />
    </>
  );
}
