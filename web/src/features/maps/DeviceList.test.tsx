import { cleanup, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { DeviceBrief } from "./DeviceBrief.tsx";
import { DeviceRow } from "./DeviceList.tsx";

const AT = "2026-11-22T03:00:00Z";
const UNIT = {
  info: { id: "k1", deviceType: "COT", serial: 7, name: "밸브함", chNums: 2, latitude: 36, longitude: 127 },
  reading: { valve: 2, moisture: 21.5 },
  at: AT,
  heardAt: AT,
  quality: "fresh",
  via: "mqtt",
};
const channel = (number: number, onoff: 1 | 2) => ({
  controllerId: "k1",
  serial: 7,
  number,
  sensorIds: [],
  onoff,
  modes: null,
  moisture: null,
  runUntil: null,
  endsBy: null,
  command: null,
  at: AT,
  heardAt: AT,
  quality: "fresh",
});
const LISTED = {
  id: "k1",
  name: "밸브함",
  serial: "7",
  deviceType: "COT",
  place: { latitude: 36, longitude: 127 },
};

describe("a COT unit on the map", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
    page.put({ "sensor:k1": UNIT, "channel:k1:1": channel(1, 2), "channel:k1:2": channel(2, 2) });
    page.link("live");
  });
  afterEach(cleanup);

  it("[spec 2] says what its valves do in words, not as a number", async () => {
    page.show(<DeviceRow device={LISTED} picked={false} onPick={() => undefined} />);
    const row = await screen.findByRole("button", { name: /밸브함/ });
    expect(within(row).getByText("닫힘 2개")).not.toBeNull();
    expect(within(row).queryByText("2")).toBeNull();
    page.put({ "channel:k1:2": channel(2, 1) });
    expect(await within(row).findByText("1곳에 물 주는 중")).not.toBeNull();
  });

  it("[spec 2] says the same in the popup, and its moisture as a number", async () => {
    page.show(<DeviceBrief id="k1" onClose={() => undefined} />);
    const brief = await screen.findByRole("article", { name: "밸브함" });
    expect(within(brief).getByText("닫힘 2개")).not.toBeNull();
    expect(within(brief).queryByText("2")).toBeNull();
    expect(within(brief).getByText("21.5")).not.toBeNull();
  });
});
