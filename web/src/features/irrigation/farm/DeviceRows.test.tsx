import { cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { createPageBench } from "../../../testing/page-bench.tsx";
import type { FarmDevice, FarmItem } from "../farm-list.ts";
import { DeviceRows } from "./DeviceRows.tsx";

const device = (number: number): FarmDevice => ({
  id: `s${number}`,
  kind: "sensor",
  form: "sensor",
  name: `House ${number}`,
  serial: `${number}`,
  deviceType: "SMS",
  description: "",
  imagePath: null,
  createdDate: null,
});
const farm = (count: number): FarmItem => ({
  id: "1",
  name: "Farm",
  description: "",
  createdDate: null,
  serial: 0,
  devices: Array.from({ length: count }, (_, number) => device(number)),
  units: [],
});
const nothing = () => undefined;

describe("devices of a farm", () => {
  afterEach(cleanup);

  it("[spec 2] renders those near the window out of a thousand, with the selected ones marked", async () => {
    const bench = await createPageBench();
    const chosen = { ids: ["s1"], cots: [] };
    bench.show(<DeviceRows farm={farm(1_000)} chosen={chosen} onToggle={nothing} onDone={nothing} />);
    const rows = screen.getAllByRole("listitem");
    expect(rows.length).toBeLessThan(60);
    expect(rows[0]?.getAttribute("aria-setsize")).toBe("1000");
    const marked = [...document.querySelectorAll("[data-chosen]")].map((row) => row.textContent);
    expect(marked).toEqual([expect.stringContaining("House 1")]);
  });
});
