import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { DashboardPage } from "./DashboardPage.tsx";

const FARM = { info: { id: "f1", name: "논산 농장", description: null, sensorIds: [] } };
const SENSOR = {
  info: { id: "s1", deviceType: "SMS", serial: 3, name: "1동 흙" },
  ...{ reading: null, at: null, heardAt: null, quality: null, via: "poll" },
};
const CONTROLLER = {
  info: { id: "c1", serial: "17", name: "논산 밸브", type: "CON04V" },
  ...{ rssi: null, fwversion: null, heardAt: null, quality: null, link: null },
};
const CHANNEL = {
  ...{ controllerId: "c1", serial: "17", number: 1, sensorIds: [], onoff: 1, modes: null, moisture: null },
  ...{ runUntil: null, endsBy: null, command: null, at: null, heardAt: null, quality: null },
};

describe("first steps on the dashboard", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
    page.answer = () => [];
    page.show(<DashboardPage />, "/dashboard");
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });
  const title = () => screen.queryByRole("heading", { name: "처음 세 단계" });
  /** Return if the steps come before the list of valves. */
  const isAbove = (): boolean => {
    const valves = screen.getByRole("heading", { name: "밸브" });
    const order = title()?.compareDocumentPosition(valves) ?? 0;
    return (order & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  };

  it("[FIRST-1] come once the farm is known, say what is next, and end with the last of them", async () => {
    expect(title()).toBeNull();
    page.link("live");
    await screen.findByRole("heading", { name: "처음 세 단계" });
    expect(isAbove()).toBe(true);
    page.put({ "farm:f1": FARM });
    const next = () => document.querySelector("[aria-current=step]")?.textContent;
    expect(next()).toContain("센서 등록하기");
    page.put({ "sensor:s1": SENSOR });
    expect(next()).toContain("컨트롤러 등록하기");
    page.put({ "controller:c1": CONTROLLER, "channel:11": CHANNEL });
    expect(title()).toBeNull();
  });

  it("[FIRST-1] come after the valves where there are any: an open one is never below them", async () => {
    page.link("live");
    page.put({ "controller:c1": CONTROLLER, "channel:11": CHANNEL });
    await screen.findByRole("heading", { name: "처음 세 단계" });
    expect(isAbove()).toBe(false);
  });

  it("[KNOW-1] are not shown while the farm is unknown", async () => {
    page.link("live");
    await screen.findByRole("heading", { name: "처음 세 단계" });
    page.link("notLive");
    expect(title()).toBeNull();
  });
});
