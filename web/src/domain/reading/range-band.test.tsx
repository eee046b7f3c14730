import { FIELDS } from "@mulkko/shared/catalogue/fields";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { ValveRow } from "../watering/valve-row.tsx";
import { LiveReading } from "./LiveReading.tsx";
import { RangeBand } from "./range-band.tsx";

const MOISTURE = { ...FIELDS.moisture, name: "moisture" };
const CHANNEL = {
  controllerId: "c1",
  serial: "17",
  number: 4,
  sensorIds: ["s1"],
  onoff: 2,
  moisture: 26.3,
  runUntil: null,
  endsBy: null,
  command: null,
  at: "2026-11-21T03:00:00.000Z",
  heardAt: "2026-11-21T03:00:00.000Z",
  quality: "fresh",
  modes: null,
} as const;
const AUTOMATIC = {
  active: "automatic",
  automatic: { lowerBound: 30, upperBound: 34, wateringDuration: 5 },
  reservation: null,
  period: null,
} as const;
const SENSOR = {
  info: { id: "s1", deviceType: "SMS", serial: "1", name: "4동" },
  reading: { moisture: 26.3 },
  at: "2026-11-21T03:00:00.000Z",
  heardAt: "2026-11-21T03:00:00.000Z",
  quality: "fresh",
  via: null,
} as const;

describe("a soil moisture", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
    page.link("live");
  });
  afterEach(cleanup);
  const bands = () => screen.queryAllByTestId("range-band");

  it.each([
    [10, "마름"],
    [30, "알맞음"],
    [34, "알맞음"],
    [34.1, "젖음"],
  ])("[UI-4] of %d percent is called by its side of the band: %s", (value, word) => {
    page.show(<RangeBand value={value} band={{ low: 30, high: 34 }} quality="fresh" />);
    expect(screen.getByText(word)).toBeTruthy();
    expect(screen.getByRole("img").getAttribute("aria-label")).toContain(word);
  });

  it.each(["late", "lost", "offline", "unknown", null] as const)(
    "[UI-4] that is %s has no word: it would claim that the old value is true now",
    (quality) => {
      page.show(<RangeBand value={10} band={{ low: 30, high: 34 }} quality={quality} />);
      expect(screen.queryByText("마름")).toBeNull();
      expect(bands()).toHaveLength(1);
    },
  );

  it("[UI-4] is replaced by the water level on a valve whose sensor measures one", () => {
    const paddy = { ...CHANNEL, moisture: null, sensorIds: ["s2"] };
    const info = { ...SENSOR.info, id: "s2", deviceType: "WL", name: "윗논" };
    page.put({ "sensor:s2": { ...SENSOR, info, reading: { l: 6 } } });
    page.show(<ValveRow testId="row" to="/" channel={paddy} name="윗논" next={undefined} />);
    expect(screen.getByTestId("row").textContent).toMatch(/6\s*cm/);
    page.put({ "sensor:s2": { ...SENSOR, info, reading: { battery: 90 } } });
    expect(screen.getByTestId("row").textContent).not.toContain("cm");
  });

  it("[UI-4] shows the automatic's band on every drawing of the valve, and no bar without one", () => {
    page.put({ "sensor:s1": SENSOR, "channel:14": CHANNEL });
    const drawings = (modes: typeof AUTOMATIC | null) => (
      <>
        <ValveRow
          testId="row"
          to="/"
          channel={{ ...CHANNEL, sensorIds: ["s1"], modes }}
          name="4동"
          next={undefined}
        />
        <LiveReading id="s1" field={MOISTURE} where="card" band="full" />
        <LiveReading id="s1" field={MOISTURE} where="card" band="small" />
      </>
    );
    page.show(drawings(null));
    expect(screen.getAllByText("26.3")).toHaveLength(3);
    expect(bands()).toEqual([]);
    cleanup();
    page.put({ "channel:14": { ...CHANNEL, modes: AUTOMATIC } });
    page.show(drawings(AUTOMATIC));
    expect(bands()).toHaveLength(3);
    expect(screen.getAllByText("마름")).toHaveLength(3);
  });
});
