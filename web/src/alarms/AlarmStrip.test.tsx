import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildAlarm } from "../testing/build-alarm.ts";
import { createPageBench, type PageBench } from "../testing/page-bench.tsx";
import { AlarmStrip } from "./AlarmStrip.tsx";
import { CLEARED_SHOWN_MS } from "./present-alarms.ts";

const strip = () => document.querySelector(".alarm-strip");

describe("the alarm strip", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench(["alarms"]);
    document.documentElement.dataset.surface = "phone";
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
    delete document.documentElement.dataset.surface;
  });

  it("[ALM-1] is not there while nothing is wrong, and tells the worst with the number of the others", () => {
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

  it("[ALM-1] interrupts a screen reader for the most urgent alone, and says its words once", () => {
    page.show(<AlarmStrip />);
    page.putAlarms(buildAlarm({ id: "a", type: "battery" }));
    expect(screen.getByRole("alert").textContent).toBe("");
    expect(screen.getByRole("status").textContent).toBe("배터리 부족");
    page.putAlarms(buildAlarm({ id: "b", type: "command-failed", priority: 1 }));
    expect(screen.getByRole("alert").textContent).toBe("밸브 명령 전달 실패");
    expect(screen.getByRole("status").textContent).toBe("");
    expect(strip()?.getAttribute("data-urgent")).toBe("true");
  });

  it("[ALM-2] a finished alarm leaves a minute after its end, though nobody acknowledged it", () => {
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

  it("[ALM-1] a press leads to all alarms, where the strip would only say it twice", () => {
    page.show(<AlarmStrip />);
    page.putAlarms(buildAlarm({ type: "battery" }));
    fireEvent.click(screen.getByRole("link"));
    expect(page.path()).toBe("/alarms");
    expect(strip()).toBeNull();
  });

  it("[ALM-1] on a desktop the alarms open beside the page", async () => {
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
