import { buildAccount } from "@mulkko/shared/testing/builders";
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { act } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildAlarm } from "../../testing/build-alarm.ts";
import { buildFleetAlarm, fleetAlarmState } from "../../testing/build-fleet-alarm.ts";
import { createFleetBench, type FleetBench } from "../../testing/fleet-bench.tsx";
import { AlarmBoard } from "./AlarmBoard.tsx";

const LIST = { loaded: 0, total: 0, knownSince: null, urgent: { p1: 0, p2: 0 }, unwatched: 0, leftOff: 0 };

describe("an administrator's alarms", () => {
  let bench: FleetBench;
  beforeEach(async () => {
    bench = await createFleetBench();
    bench.session.store.setState({
      ...{ state: "signed-in", accessToken: "token" },
      account: buildAccount({ userType: "ADMIN" }),
    });
    await bench.open(<AlarmBoard />, "/alarms");
    await screen.findByText(/^모든 계정의 긴급/);
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[WARN-1] begins with the alarms of all accounts; the own farm's are on the second tab", async () => {
    const over = buildFleetAlarm({ id: "over", active: false, clearedAt: "2026-11-22T03:02:00Z" });
    await bench.sayPart(
      {
        "fleet:list": { ...LIST, urgent: { p1: 1, p2: 0 }, leftOff: 4 },
        ...fleetAlarmState(over, buildFleetAlarm({ username: "lee" })),
      },
      1,
      1,
    );
    const lines = screen.getAllByTestId("fleet-alarm");
    expect(lines[0]?.textContent).toContain("춘천 농장 (lee)");
    expect(lines[1]?.textContent).toContain("해소됨");
    expect(screen.getByText("그 밖에 긴급 경보 4건")).toBeTruthy();
    bench.putAlarms(buildAlarm({ type: "battery", name: "내 센서" }));
    await act(async () => fireEvent.click(screen.getByRole("radio", { name: "내 농장" })));
    expect(screen.getByText("배터리 부족")).toBeTruthy();
  });

  it("[WARN-4] calls no account calm before all of them are read and watched", async () => {
    await bench.sayPart({ "fleet:list": { ...LIST, urgent: null, unwatched: null } }, 1, 1);
    expect(screen.getByRole("status").textContent).toMatch(/^아직 알 수 없습니다/);
    await bench.change({ "fleet:list": { urgent: { p1: 0, p2: 0 }, unwatched: 3 } });
    expect(screen.getByRole("status").textContent).toBe("감시 중인 계정에는 긴급 경보가 없습니다");
    await bench.change({ "fleet:list": { unwatched: 0 } });
    expect(screen.getByRole("status").textContent).toBe("긴급 경보가 있는 계정이 없습니다");
    await bench.lose();
    expect(screen.getByRole("status").textContent).toBe("지금은 확인할 수 없습니다");
  });
});
