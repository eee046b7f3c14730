import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { batteryLimits, signalLimits } from "./device-health.ts";

const page = await readFile(new URL("../../../docs/dev/valve-rules.md", import.meta.url), "utf8");
const dbm = (value: number): string => `${value} dBm`.replace("-", "−");

it("[ALM-1] documents the limits of battery and signal", () => {
  const battery = batteryLimits(null);
  const signal = signalLimits(null);
  expect(page).toContain(`| below ${battery.beginsBelow} % | at ${battery.endsFrom} % or above |`);
  expect(page).toContain(`| below ${dbm(signal.beginsBelow)} | at ${dbm(signal.endsFrom)} or above |`);
});
