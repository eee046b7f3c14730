import { WeatherCard } from "../../weather/WeatherCard.tsx";
import { AlarmsCard } from "./AlarmsCard.tsx";
import { NextCard } from "./NextCard.tsx";
import type { ValveNow } from "./valve-now.ts";

/** What is wrong, and what is to come, of the sky and of the valves: fetched after what is needed to act. */
export function DashboardAside({ valves }: { valves: readonly ValveNow[] }) {
  return (
    <>
      <AlarmsCard />
      <WeatherCard />
      <NextCard valves={valves} />
    </>
  );
}
