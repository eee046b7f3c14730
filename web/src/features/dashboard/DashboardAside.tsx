import { WeatherCard } from "../../weather/WeatherCard.tsx";
import { AlarmsCard } from "./AlarmsCard.tsx";
import { NextCard, type NextCardProps } from "./NextCard.tsx";

/** What is wrong, and what is to come, of the sky and of the valves: fetched after what is needed to act. */
export function DashboardAside(props: NextCardProps) {
  return (
    <>
      <AlarmsCard />
      <WeatherCard />
      <NextCard {...props} />
    </>
  );
}
