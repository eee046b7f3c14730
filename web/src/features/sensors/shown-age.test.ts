import type { SensorValue } from "@mulkko/shared/live/devices";
import { countedQuality, shownTime } from "@mulkko/shared/live/value-age";
import { type Quality, qualityOfAges } from "@mulkko/shared/rules/quality";
import { buildSensorValue } from "@mulkko/shared/testing/builders";
import { seededRandom } from "@mulkko/shared/testing/random";
import { expect, test } from "vitest";
import { tallyDevices } from "../../domain/farm/device-tally.ts";
import { createMarkerSource } from "../../domain/map/device-markers.ts";
import { verdict } from "../../wall/freshness/verdict.ts";
import { countCategories, isTroubled, listSensors } from "./model.ts";

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 28, 4);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121);
const iso = (at: number): string => new Date(at).toISOString();

test("[AGE-1] generated farms: every count and every age follows the numbers that are drawn", () => {
  const random = seededRandom(SEED);
  for (let run = 0; run < 300; run += 1) {
    const sensors = new Map<string, SensorValue>(
      Array.from({ length: 1 + Math.floor(random() * 8) }, (_, n) => {
        const contact = Math.floor(random() ** 3 * 3 * HOUR);
        const measured = contact + Math.floor(random() ** 3 * 30 * HOUR);
        const interval = random() < 0.3 ? null : Math.floor(random() * HOUR);
        const { quality } = qualityOfAges({ contact, measured }, { interval, pollInterval: null });
        const isOld = random() < 0.2;
        const info = {
          ...buildSensorValue().info,
          id: `${n}`,
          name: `Soil ${n}`,
          latitude: 37,
          longitude: 127,
        };
        const value = buildSensorValue({
          ...{ info, quality, at: iso(NOW - measured), heardAt: iso(NOW - contact) },
          reading: { moisture: 30, temperature: 20 },
          ...(isOld && { fieldTimes: { moisture: iso(NOW - measured - 2 * HOUR) } }),
        });
        return [`${n}`, value] as const;
      }),
    );
    const about = `seed ${SEED}, run ${run}`;
    const links: Quality = "fresh";
    const drawn = [...sensors.values()].map((sensor) => countedQuality(sensor));
    const live = drawn.filter((quality) => quality === "fresh").length;
    const tally = tallyDevices(sensors.values(), links);
    expect([tally.fresh, tally.total], about).toEqual([live, sensors.size]);
    const listed = listSensors(sensors, links);
    expect(listed.filter((sensor) => !isTroubled(sensor)).length, about).toBe(live);
    const [category] = countCategories(listed, { count: 0, troubled: 0 });
    expect(category?.troubled, about).toBe(sensors.size - live);
    const markers = createMarkerSource()({ sensors, alarms: new Map() }, null, links);
    expect(markers.filter(({ fresh }) => fresh).length, about).toBe(live);
    const devices = { ...tally, never: tally.never };
    const screen = { now: NOW, screen: "live", silentSince: null, relay: null, withheld: null } as const;
    expect(verdict({ ...screen, devices }).kind === "live", about).toBe(
      live > 0 || tally.never === tally.total,
    );
    for (const sensor of sensors.values()) {
      const measured = sensor.fieldTimes?.moisture ?? sensor.at ?? "";
      const { heardAt } = sensor;
      expect(shownTime(sensor), about).toBe(
        Date.parse(measured) < Date.parse(heardAt ?? "") ? measured : heardAt,
      );
    }
  }
});
