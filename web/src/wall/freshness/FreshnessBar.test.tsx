import { describe, expect, it, vi } from "vitest";
import { OverviewPage } from "../pages/OverviewPage.tsx";
import { buildLiveFarm, sensorEntry } from "../testing/build-live-farm.ts";
import { createWallBench } from "../testing/wall-bench.tsx";
import { FreshnessBar } from "./FreshnessBar.tsx";

/** Build a farm with the given number of sensors; the first `silent` ones have no current reading. */
const farmOf = (count: number, silent: number) => {
  const entries = Array.from({ length: count }, (_, index) =>
    sensorEntry(`s${index + 1}`, index < silent ? { quality: "offline" } : {}),
  );
  const { sensors } = buildLiveFarm(entries);
  return Object.fromEntries([...sensors].map(([id, value]) => [`sensor:${id}`, { ...value }]));
};

describe("bar above a page", () => {
  it.each([
    [9, 0, " +7", "그 밖에 7개는 이상 없음"],
    [9, 5, " +7, 이상 3", "그 밖에 7개, 그중 이상 3개"],
  ])(
    "[wall] counts the items without space out of %i and tells if all of them are well (%i silent)",
    async (count, silent, short, texts) => {
      const wall = await createWallBench();
      wall.show(
        <>
          <FreshnessBar page="overview" stays={null} live />
          <OverviewPage lap={0} />
        </>,
      );
      expect(document.querySelector(".freshness-bar__more")).toBeNull();
      await wall.bring(farmOf(count, silent));
      expect(document.querySelectorAll(".overview__tiles > li")).toHaveLength(2);
      const more = document.querySelector<HTMLElement>(".freshness-bar__more");
      expect([more?.textContent, more?.dataset.wrong]).toEqual([short, String(silent > 0)]);
      expect(document.querySelector(".freshness-bar__name .visually-hidden")?.textContent).toBe(texts);
    },
  );

  it("[wall] counts live devices while not all are live, as the page header does", async () => {
    const wall = await createWallBench();
    wall.show(<FreshnessBar page="overview" stays={null} live />);
    await wall.bring(farmOf(20, 1));
    expect(document.querySelector(".freshness-bar__links > :last-child")?.textContent).toBe("장치 19/20");
  });

  it("[weather] shows the farm's own station as the live state has it, not as it was when it was asked", async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 10, 22, 3, minute)).toISOString();
    const reading = (temperature: number, minute: number, quality: "fresh" | "offline" = "fresh") => ({
      reading: { temperature },
      at: at(minute),
      heardAt: at(minute),
      quality,
    });
    const stations = (change: ReturnType<typeof reading>) => {
      const [id, value] = sensorEntry("station", change, "ATS02");
      return { [`sensor:${id}`]: { ...value } };
    };
    const wall = await createWallBench();
    wall.answer = (url) =>
      url.includes("weather")
        ? {
            place: { latitude: 36.2, longitude: 127.5, from: "farm", farmId: "1" },
            weather: {
              source: "station",
              at: at(0),
              ageMinutes: 0,
              quality: "fresh",
              station: { sensorId: "station", name: "Roof", deviceType: "ATS02" },
              reading: { temperature: 20 },
              instead: "no-key",
            },
          }
        : undefined;
    wall.show(<FreshnessBar page="overview" stays={null} live />);
    await wall.bring(stations(reading(7, 1)));
    const sky = () => document.querySelector("[data-testid=sky]")?.textContent ?? null;
    await vi.waitFor(() => expect(sky()).toBe("7°"));
    await wall.bring(stations(reading(7, 1, "offline")));
    await vi.waitFor(() => expect(sky()).toBeNull());
  });
});
