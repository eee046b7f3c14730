import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { FirstSteps } from "./FirstSteps.tsx";

const FARM = { info: { id: "f1", name: "논산 농장", description: null, sensorIds: [] } };
const SENSOR = {
  info: { id: "s1", deviceType: "SMS", serial: 3, name: "1동 흙" },
  ...{ reading: null, at: null, heardAt: null, quality: null, via: "poll" },
};
const CHANNEL = {
  ...{ controllerId: "c1", serial: "17", number: 1, sensorIds: [], onoff: 2, modes: null, moisture: null },
  ...{ runUntil: null, endsBy: null, command: null, at: null, heardAt: null, quality: null },
};

describe("first steps", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
    page.show(<FirstSteps />, "/dashboard");
    page.link("live");
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });
  const ticks = () =>
    screen.queryAllByTestId("first-step").map((step) => step.getAttribute("data-done") !== null);
  const links = () => screen.queryAllByRole("link").map((link) => link.getAttribute("href"));

  it("[FIRST-1] ticks farm, sensor and valve in any order, and ends with the last of them", () => {
    expect(ticks()).toEqual([false, false, false]);
    expect(links()).toEqual(["/farmadd", "/listadd", "/cotadd"]);
    page.put({ "sensor:s1": SENSOR });
    expect(ticks()).toEqual([false, true, false]);
    expect(links()).toEqual(["/farmadd", "/cotadd"]);
    page.put({ "farm:f1": FARM });
    expect(ticks()).toEqual([true, true, false]);
    page.put({ "channel:11": CHANNEL });
    expect(ticks()).toEqual([]);
    page.remove("farm:f1");
    expect(ticks()).toEqual([false, true, true]);
  });

  it("[FIRST-1] stays hidden in a browser where the user has hidden it", () => {
    fireEvent.click(screen.getByRole("button", { name: "숨기기" }));
    expect(ticks()).toEqual([]);
    cleanup();
    page.show(<FirstSteps />, "/dashboard");
    expect(ticks()).toEqual([]);
  });
});
