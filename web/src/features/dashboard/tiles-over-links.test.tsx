import type { Link } from "@mulkko/shared/live/server-messages";
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NOTHING_KNOWN } from "../../domain/watering/next-watering.ts";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { IrrigationNow } from "./IrrigationNow.tsx";
import { SensorsNow } from "./SensorsNow.tsx";
import { useValves } from "./valve-now.ts";

const AT = "2026-11-23T01:00:00Z";
const CONTROLLER = {
  info: { id: "c1", serial: "17", name: "논산 밸브", type: "CON04V" },
  rssi: null,
  fwversion: null,
  heardAt: AT,
  quality: "fresh",
  link: "up",
};
const channel = (number: number, onoff: 1 | 2) => ({
  controllerId: "c1",
  serial: "17",
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
const SENSOR = {
  info: { id: "s1", serial: 1, deviceType: "SMS", name: "1동" },
  reading: null,
  at: AT,
  heardAt: AT,
  quality: "fresh",
  via: "poll",
};
const UP: Link = { t: "link", upstream: "up", mqtt: "off", store: "redis", since: AT, heardAt: AT };

function Tiles() {
  return (
    <>
      <IrrigationNow valves={useValves()} next={NOTHING_KNOWN} />
      <SensorsNow />
    </>
  );
}

describe("tiles of the home page", () => {
  let page: PageBench;
  const link = (change: Partial<Link>) =>
    act(() => page.live.client.link.setState({ relay: { ...UP, ...change } }));
  const says = () => screen.getAllByRole("strong").map((each) => each.textContent);
  beforeEach(async () => {
    page = await createPageBench();
    page.put({
      "controller:c1": CONTROLLER,
      "channel:1": channel(1, 2),
      "channel:2": channel(2, 2),
      "sensor:s1": SENSOR,
    });
    page.show(<Tiles />);
    page.link("live");
    link({});
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[ONL-2] claim nothing live and no closed valve while the relay's store is down", () => {
    expect(says()).toEqual(["지금은 물을 주지 않습니다", "실시간 1/1"]);
    link({ store: "down" });
    expect(says()).toEqual(["확인 불가: 밸브 2개", "확인 불가: 센서 1개"]);
    link({});
    expect(says()).toEqual(["지금은 물을 주지 않습니다", "실시간 1/1"]);
  });

  it("[ONL-2] claim nothing live and no closed valve while the farm API is down", () => {
    link({ upstream: "down" });
    expect(says()).toEqual(["확인 불가: 밸브 2개", "실시간 0/1"]);
    expect(screen.queryByText("지연 1")).not.toBeNull();
  });

  it("[ONL-5] count water running by its last report apart from confirmed running water", () => {
    page.put({ "channel:2": channel(2, 1) });
    expect(says()[0]).toBe("1곳에 물 주는 중");
    link({ upstream: "down" });
    expect(says()[0]).toBe("마지막 보고 열림 1개 · 확인 불가: 밸브 1개");
  });

  it("[RUN-4] count an open valve down until it is commanded to close", () => {
    const open = { ...channel(2, 1), runUntil: new Date(page.live.clock.now() + 248_000).toISOString() };
    page.put({ "channel:2": open });
    expect(screen.getByText(/남음/).textContent).toBe("4:08 남음");
    const by = { id: "u", nickname: "김선우" };
    const command = { id: "x", command: "onoff", target: 2, state: "accepted", since: AT, by };
    page.put({ "channel:2": { ...open, command } });
    expect(says()[0]).toBe("1곳에 물 주는 중");
    expect(screen.queryByText(/남음/)).toBeNull();
  });

  it("[ONL-5] count closed valves beside those of a lost controller", () => {
    page.put({
      "controller:c2": { ...CONTROLLER, info: { ...CONTROLLER.info, id: "c2" }, link: "lost" },
      "channel:3": { ...channel(1, 2), controllerId: "c2", link: "lost" },
    });
    expect(says()[0]).toBe("닫힘 2개 · 확인 불가: 밸브 1개");
  });
});
