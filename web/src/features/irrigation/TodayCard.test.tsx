import { cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { createPageBench } from "../../testing/page-bench.tsx";
import { IrrigationPage } from "./IrrigationPage.tsx";

const FARM = { info: { id: "f1", name: "논산 농장", description: null, sensorIds: [] } };
/** 13:25 on 22 November in Seoul. */
const SINCE = "2026-11-22T04:25:00.000Z";
const NOTHING = {
  timezone: "Asia/Seoul",
  today: "2026-11-22",
  keptFrom: "2026-11-15T04:30:00.000Z",
  from: "2026-11-15T04:30:00.000Z",
  to: "2026-11-22T04:31:00.000Z",
  waterings: [],
  next: null,
  sums: [],
};

describe("the water of today", () => {
  afterEach(cleanup);

  const SUM = { date: "2026-11-22", farmId: "f1", running: 0, seconds: 600 };

  async function show(knownFrom: string, sums: readonly object[] = [], waterings: readonly object[] = []) {
    const page = await createPageBench();
    page.answer = (call) =>
      call.includes("/relay/waterings?") ? { ...NOTHING, knownFrom, sums, waterings } : undefined;
    page.show(<IrrigationPage />, "/irrigation");
    page.put({ "farm:f1": FARM });
    page.link("live");
    return page;
  }

  it("[WAT-4] claims no day without water for a part of the day that the relay did not watch", async () => {
    await show(SINCE);
    expect(await screen.findByText("13:25 이후로 확인된 관수가 없습니다")).not.toBeNull();
    expect(screen.queryByText("오늘은 아직 관수하지 않았습니다")).toBeNull();
  });

  it("[WAT-4] marks a sum that does not cover the whole day, and litres of a part of the waterings", async () => {
    await show(SINCE, [{ ...SUM, count: 2, litres: 12, measured: 1 }]);
    const sum = "오늘 13:25부터 2회 · 10분 · 측정된 12 L";
    // On the card and in the farm's row.
    expect(await screen.findAllByText(sum)).toHaveLength(2);
  });

  it("[ONL-5] marks a sum with water whose controller has lost its connection", async () => {
    const running = {
      id: "w1",
      channelId: "11",
      cause: "external",
      by: null,
      start: "2026-11-22T04:20:00.000Z",
      end: null,
      endReason: null,
      endedBy: null,
      moistureBefore: null,
      moistureAfter: null,
      litres: null,
      plannedEnd: null,
      farmIds: ["f1"],
    };
    const page = await show(
      "2026-11-21T04:25:00.000Z",
      [{ ...SUM, count: 1, litres: null, measured: 0, running: 1 }],
      [running],
    );
    const sum = "오늘 확인된 것만 1회 · 10분";
    const channel = { controllerId: "c1", serial: "17", number: 1, sensorIds: [], onoff: 1, modes: null };
    const rest = { moisture: null, runUntil: null, endsBy: null, command: null, at: null, heardAt: null };
    page.put({ "channel:11": { ...channel, ...rest, quality: "fresh", link: "lost" } });
    expect(await screen.findAllByText(sum)).toHaveLength(2);
    expect(screen.queryByText("1회는 끝이 확인되지 않았습니다")).not.toBeNull();
    page.put({ "channel:11": { ...channel, ...rest, quality: "fresh", link: null } });
    expect(await screen.findAllByText("오늘 1회 · 10분")).toHaveLength(2);
    expect(screen.queryByText(/확인되지 않았습니다/)).toBeNull();
  });

  it("[WAT-2] says the sum of a whole day as it is", async () => {
    await show("2026-11-21T04:25:00.000Z", [{ ...SUM, count: 2, litres: 12, measured: 2 }]);
    expect(await screen.findAllByText("오늘 2회 · 10분 · 12 L")).toHaveLength(2);
    expect(screen.queryByText(/부터/)).toBeNull();
  });

  it("[WAT-4] says that there was no water today where the relay watched the whole day", async () => {
    await show("2026-11-21T04:25:00.000Z");
    expect(await screen.findByText("오늘은 아직 관수하지 않았습니다")).not.toBeNull();
  });
});
