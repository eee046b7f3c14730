import type { Modes } from "@mulkko/shared/entities/modes";
import type { ChannelValue } from "@mulkko/shared/live/devices";
import type { WateringPreview } from "@mulkko/shared/rest/waterings";
import { buildController } from "@mulkko/shared/testing/builders";
import { eventually } from "@mulkko/shared/testing/eventually";
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LiveEntry, parseValue } from "../../live/store.ts";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { ControllersPage } from "./ControllersPage.tsx";

const RESERVED: Modes = {
  active: "reservation",
  automatic: null,
  period: null,
  reservation: { onTime: "06:30", wateringDuration: 10, repeat: true },
};

const entry = (kind: "controller" | "channel", id: string, raw: unknown): LiveEntry => {
  const parsed = parseValue(kind, id, raw);
  if (!parsed) throw new Error("the value does not fit its schema");
  return parsed;
};

const unit = entry("controller", "c1", {
  info: { ...buildController(), id: "c1", name: "Pump house" },
  quality: "fresh",
  rssi: null,
  fwversion: null,
  heardAt: null,
  link: null,
});

const channel = (modes: Modes): LiveEntry =>
  entry("channel", "11", {
    controllerId: "c1",
    serial: 7,
    number: 1,
    sensorIds: [],
    onoff: 2,
    modes,
    moisture: null,
    runUntil: null,
    endsBy: null,
    command: null,
    at: null,
    heardAt: null,
    quality: "fresh",
  } satisfies ChannelValue);

describe("controllers page", () => {
  let bench: PageBench;
  beforeEach(async () => {
    bench = await createPageBench();
  });
  afterEach(cleanup);

  const show = (modes: Modes, planned: readonly { kind: "period" | "reservation"; start: string }[]) => {
    const from = new Date(bench.live.clock.now()).toISOString();
    bench.answer = (call): WateringPreview | undefined =>
      call.includes("/preview")
        ? {
            timezone: "Asia/Seoul",
            from,
            to: from,
            planned: planned.map(({ kind, start }) => ({
              id: start,
              channelId: "11",
              controllerId: "c1",
              number: 1,
              farmIds: [],
              quality: "fresh",
              kind,
              start,
              end: null,
              basis: "time",
              overlaps: [],
            })),
            untimed: [],
            unread: [],
            truncated: false,
          }
        : undefined;
    bench.show(<ControllersPage />);
    act(() => bench.live.client.store.apply({ put: [unit, channel(modes)], remove: [] }));
  };
  const cell = () => document.querySelector(".valve-row__when")?.textContent;

  it("[WAT-3] shows a channel's next watering in any active mode", async () => {
    const soon = new Date(bench.live.clock.now() + 600_000);
    show({ ...RESERVED, active: "period" }, [{ kind: "period", start: soon.toISOString() }]);
    const clock = new Intl.DateTimeFormat("ko", {
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZone: "Asia/Seoul",
    });
    await eventually(() => expect(cell()).toContain(clock.format(soon)));
  });

  it("[controller] links a controller without channels to the form for the first one", () => {
    bench.show(<ControllersPage />);
    act(() => bench.live.client.store.apply({ put: [unit], remove: [] }));
    expect(screen.queryByRole("link", { name: /첫 채널 추가/ })).toBeNull();
    bench.link("live");
    const way = screen.getByRole("link", { name: "Pump house에 첫 채널 추가" });
    expect(way.getAttribute("href")).toBe("/controller/edit?cotId=c1&add=1");
  });

  it("[WAT-3] shows what an incomplete reservation lacks, and promises no time", async () => {
    show({ ...RESERVED, incomplete: "duration" }, []);
    expect(cell()).toBe("관수 시간이 없어 대기 중");
    expect(screen.queryByText(/06:30/)).toBeNull();
  });

  it("[MODE-4] names several active modes and does not call the channel idle", async () => {
    show({ ...RESERVED, alsoOn: ["automatic"], incomplete: "setting" }, []);
    expect(cell()).toBe("예약 + 자동");
  });

  it("[WAT-3] shows only the mode while the plan is unknown", () => {
    show(RESERVED, []);
    expect(cell()).toBe("예약");
  });
});

const UNIT = {
  info: { id: "c1", serial: "17", name: "논산 밸브", type: "CON04V" },
  rssi: null,
  fwversion: null,
  heardAt: null,
  quality: null,
  link: null,
};

describe("list of controllers", () => {
  let page: PageBench;
  beforeEach(async () => {
    page = await createPageBench();
    page.show(<ControllersPage />);
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[ONL-2] claims nothing about water and channels from a cached farm", () => {
    page.put({ "controller:c1": UNIT });
    expect(screen.queryByText("지금 물을 주는지 확인할 수 없습니다")).not.toBeNull();
    expect(screen.queryByText("채널을 아직 알 수 없습니다")).not.toBeNull();
    page.link("live");
    expect(screen.queryByText("지금은 물을 주지 않습니다")).not.toBeNull();
    expect(screen.queryByText("채널이 없습니다")).not.toBeNull();
    page.link("notLive");
    expect(screen.queryByText("지금 물을 주는지 확인할 수 없습니다")).not.toBeNull();
  });

  it("[LIVE-1] shows placeholders while it loads, and the empty text only once that is confirmed", () => {
    expect(screen.queryByRole("heading", { name: "컨트롤러" })).not.toBeNull();
    page.link("notLive");
    expect(screen.queryByText("농장을 아직 불러오지 못했습니다")).not.toBeNull();
    page.link("live");
    expect(screen.queryByText("등록된 컨트롤러가 없습니다")).not.toBeNull();
  });
});
