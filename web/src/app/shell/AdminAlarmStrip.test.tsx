import { cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildAlarm } from "../../testing/build-alarm.ts";
import { buildFleetAccount } from "../../testing/build-fleet-account.ts";
import { buildFleetAlarm, fleetAlarmState } from "../../testing/build-fleet-alarm.ts";
import { createFleetBench, type FleetBench } from "../../testing/fleet-bench.tsx";
import { AdminAlarmStrip } from "./AdminAlarmStrip.tsx";

const LIST = { loaded: 1, total: 1, knownSince: null, urgent: { p1: 0, p2: 0 } };

describe("the alarm strip of an administrator", () => {
  let bench: FleetBench;
  let others: boolean[];
  const onOther = (shown: boolean) => others.push(shown);
  beforeEach(async () => {
    others = [];
    bench = await createFleetBench();
    document.documentElement.dataset.surface = "phone";
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
    delete document.documentElement.dataset.surface;
  });
  const strip = () => document.querySelector(".alarm-strip");
  const subscriptions = () =>
    bench.live.relay
      .latest()
      .received.filter((message) => message.t === "subscribe" && message.stream === "fleet");

  it("[WARN-1] loads only sums while there is nothing urgent, and everything once there is", async () => {
    await bench.open(<AdminAlarmStrip onOther={onOther} />, "/dashboard");
    expect(subscriptions()).toEqual([{ t: "subscribe", stream: "fleet", track: ["fleet:list"] }]);
    await bench.sayPart({ "fleet:list": LIST }, 1, 1);
    expect(strip()).toBeNull();
    expect(subscriptions()).toHaveLength(1);
    await bench.change({ "fleet:list": { urgent: { p1: 1, p2: 2 } } });
    expect(subscriptions().at(-1)).toEqual({ t: "subscribe", stream: "fleet" });
    const lower = buildFleetAlarm({ id: "b", account: "a2", priority: 2 });
    await bench.sayPart(
      {
        "fleet:list": { ...LIST, urgent: { p1: 1, p2: 2 } },
        "account:a1": buildFleetAccount({ nickname: "김다온" }),
        ...fleetAlarmState(lower, buildFleetAlarm()),
      },
      1,
      1,
    );
    expect(strip()?.textContent).toContain("춘천 농장 (kim)");
    expect(strip()?.textContent).toContain("토마토 베드 1CH · 예정보다 오래 열려 있음 · 김다온");
    expect(strip()?.textContent).toContain("그 밖에 2건");
    expect(strip()?.getAttribute("data-priority")).toBe("1");
    expect(screen.getByRole("alert").textContent).toMatch(/^춘천 농장 \(kim\), 토마토 베드/);
    expect(screen.getByRole("link").getAttribute("href")).toBe("/alarms");
  });

  it("[WARN-1] shows the own farm's alarm if it is worse, and counts those of the others", async () => {
    await bench.open(<AdminAlarmStrip onOther={onOther} />, "/adminpage");
    expect(subscriptions()).toEqual([{ t: "subscribe", stream: "fleet" }]);
    const lower = buildFleetAlarm({ priority: 2, type: "controller-offline" });
    await bench.sayPart(
      { "fleet:list": { ...LIST, urgent: { p1: 0, p2: 1 } }, ...fleetAlarmState(lower) },
      1,
      1,
    );
    bench.putAlarms(buildAlarm({ id: "own", type: "battery" }));
    expect(strip()?.textContent).toContain("컨트롤러 오프라인");
    bench.putAlarms(buildAlarm({ id: "own", type: "not-storing", key: "link:storage", priority: 1 }));
    expect(strip()?.textContent).toContain("측정값이 저장되지 않음");
    expect(strip()?.textContent).toContain("그 밖에 1건");
    expect(others).toEqual([true, false]);
  });
});
