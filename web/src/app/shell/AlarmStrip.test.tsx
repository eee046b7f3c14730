import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLEARED_SHOWN_MS } from "../../domain/alarm/present-alarms.ts";
import { buildAlarm } from "../../testing/build-alarm.ts";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { AlarmStrip } from "./AlarmStrip.tsx";

const strip = () => document.querySelector(".alarm-strip");

describe("the alarm strip", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
    document.documentElement.dataset.surface = "phone";
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
    delete document.documentElement.dataset.surface;
  });

  it("[ALM-1] is hidden without alarms, and shows the worst one with the number of the others", () => {
    page.show(<AlarmStrip />);
    expect(strip()).toBeNull();
    page.putAlarms(
      buildAlarm({ id: "a", type: "battery" }),
      buildAlarm({ id: "b", type: "out-of-bounds", priority: 2 }),
    );
    expect(strip()?.textContent).toContain("수분이 기준을 벗어남");
    expect(strip()?.textContent).toContain("그 밖에 1건");
    expect(strip()?.getAttribute("data-urgent")).toBeNull();
    page.removeAlarm("b");
    page.removeAlarm("a");
    expect(strip()).toBeNull();
  });

  it("[ONL-2] counts a silence from the last report of the device, not from its detection", () => {
    page.show(<AlarmStrip />);
    const now = page.live.clock.now();
    const daysAgo = (days: number) => new Date(now - days * 86_400_000).toISOString();
    page.putAlarms(buildAlarm({ raisedAt: daysAgo(0), detail: { since: daysAgo(7) } }));
    expect(strip()?.textContent).toContain("7일 전");
    page.putAlarms(buildAlarm({ raisedAt: daysAgo(2), detail: {} }));
    expect(strip()?.textContent).toContain("2일 전");
  });

  it("[ALM-1] interrupts a screen reader only for the most urgent alarms and announces each once", () => {
    page.show(<AlarmStrip />);
    page.putAlarms(buildAlarm({ id: "a", type: "battery" }));
    expect(screen.getByRole("alert").textContent).toBe("");
    expect(screen.getByRole("status").textContent).toBe("배터리 부족");
    page.putAlarms(buildAlarm({ id: "b", type: "command-failed", priority: 1 }));
    expect(screen.getByRole("alert").textContent).toBe("밸브 명령 전달 실패");
    expect(screen.getByRole("status").textContent).toBe("");
    expect(strip()?.getAttribute("data-urgent")).toBe("true");
  });

  it("[ALM-2] drops a finished alarm a minute after its end, even unacknowledged", () => {
    page.show(<AlarmStrip />);
    const endedAgo = (ms: number) => new Date(page.live.client.serverClock.now() - ms).toISOString();
    page.putAlarms(
      buildAlarm({ type: "battery", active: false, clearedAt: endedAgo(CLEARED_SHOWN_MS - 1_500) }),
    );
    expect(strip()?.textContent).toContain("해소됨");
    page.live.clock.advance(2_000);
    act(() => page.live.tick());
    expect(strip()).toBeNull();
  });

  it("[shell] keeps the place of the last known strip, active or over, until the alarms are known", () => {
    const place = () => document.querySelector("[data-testid=alarm-strip-space]");
    const visitAgain = () => {
      cleanup();
      page.removeAlarm("a");
      act(() => page.live.client.link.setState({ screen: { state: "starting" }, everSynced: false }));
      page.show(<AlarmStrip />);
    };
    page.show(<AlarmStrip />);
    expect(place()).toBeNull();
    const clearedAt = new Date(page.live.client.serverClock.now()).toISOString();
    for (const end of [{}, { active: false, clearedAt }]) {
      page.putAlarms(buildAlarm({ id: "a", type: "battery", ...end }));
      page.link("live");
      const over = strip()?.hasAttribute("data-over");
      visitAgain();
      expect(place()?.hasAttribute("data-over")).toBe(over);
      expect(over).toBe("active" in end);
    }
    page.link("live");
    visitAgain();
    expect(place()).toBeNull();
  });

  it("[KNOW-1] forgets the place only where it knows that no alarm is left", () => {
    page.putAlarms(buildAlarm({ id: "a", type: "battery" }));
    page.link("live");
    page.show(<AlarmStrip />);
    cleanup();
    page.removeAlarm("a");
    const place = () => document.querySelector("[data-testid=alarm-strip-space]");
    for (const state of ["notLive", "starting"] as const) {
      act(() => page.live.client.link.setState({ screen: { state }, everSynced: false }));
      page.show(<AlarmStrip />);
      expect(place() !== null).toBe(state === "starting");
      cleanup();
    }
  });

  it("[ALM-1] names the valve that is open on a lost controller, also to a screen reader", () => {
    page.show(<AlarmStrip />);
    const valves = [
      { channelId: "11", number: 1, valveName: "토마토 베드", until: "2026-11-22T04:21:00Z" },
      { channelId: "12", number: 2, until: null },
    ];
    page.putAlarms(
      buildAlarm({ type: "controller-offline-watering", priority: 1, name: "남쪽 제어기", valves }),
    );
    const texts = /^남쪽 제어기, 관수 중 컨트롤러 오프라인 · 토마토 베드 1CH .*13:21까지 열림, 1곳 더 열림$/;
    expect(screen.getByRole("alert").textContent).toMatch(texts);
    expect(strip()?.textContent).toContain("토마토 베드 1CH");
  });

  it("[ALM-1] says the name of a controller once where its valves have it, too", () => {
    page.show(<AlarmStrip />);
    const valves = [{ channelId: "11", number: 1, valveName: "남쪽 제어기", until: null }];
    page.putAlarms(
      buildAlarm({ type: "controller-offline-watering", priority: 1, name: "남쪽 제어기", valves }),
    );
    expect(screen.getByRole("alert").textContent).toMatch(
      /^남쪽 제어기, 관수 중 컨트롤러 오프라인 · 1CH 열림/,
    );
  });

  it("[UI-3] says the problem first, in one line, on a valve's own page on a phone", () => {
    page.show(<AlarmStrip />, "/sensors/cot/detail?cotId=c1");
    page.putAlarms(buildAlarm({ type: "controller-offline", priority: 2, name: "남쪽 제어기" }));
    expect(strip()?.hasAttribute("data-low")).toBe(true);
    expect(strip()?.textContent).toMatch(/컨트롤러 오프라인.* 남쪽 제어기/);
    cleanup();
    page.show(<AlarmStrip />, "/sensors");
    expect(strip()?.hasAttribute("data-low")).toBe(false);
    expect(strip()?.textContent).toMatch(/남쪽 제어기 .*컨트롤러 오프라인/);
  });

  it("[ALM-1] links to the alarm page and is hidden there", () => {
    page.show(<AlarmStrip />);
    page.putAlarms(buildAlarm({ type: "battery" }));
    fireEvent.click(screen.getByRole("link"));
    expect(page.path()).toBe("/alarms");
    expect(strip()).toBeNull();
  });

  it("[ALM-1] opens the alarms beside the page on a desktop", async () => {
    document.documentElement.dataset.surface = "desktop";
    page.show(<AlarmStrip />, "/sensors");
    page.putAlarms(buildAlarm({ type: "battery", detail: { message: "Soil 1: battery 5 %" } }));
    fireEvent.click(screen.getByRole("button"));
    expect(await screen.findByText("Soil 1: battery 5 %")).not.toBeNull();
    expect(page.path()).toBe("/sensors");
    fireEvent.click(screen.getByRole("button", { name: "닫기" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});
