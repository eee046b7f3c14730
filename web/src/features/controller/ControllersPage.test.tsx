import type { ChannelValue, Modes } from "@mulkko/shared/live/devices";
import type { WateringPreview } from "@mulkko/shared/rest/waterings";
import { buildController } from "@mulkko/shared/testing/builders";
import { eventually } from "@mulkko/shared/testing/eventually";
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LiveEntry, parseValue } from "../../live/values.ts";
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

const box = entry("controller", "c1", {
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
    bench = await createPageBench(["controller"]);
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
    act(() => bench.live.client.store.apply({ put: [box, channel(modes)], remove: [] }));
  };
  const cell = () => document.querySelector(".channel-cell__when")?.textContent;

  it("[WAT-3] a channel says when it waters next, whichever mode is in charge", async () => {
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

  it("[WAT-3] a reservation that cannot run says what it lacks, and promises no time", async () => {
    show({ ...RESERVED, incomplete: "duration" }, []);
    expect(cell()).toBe("물 줄 시간이 없어 쉬는 중");
    expect(screen.queryByText(/06:30/)).toBeNull();
  });

  it("[WAT-3] while the plan is not known, the mode alone is told", () => {
    show(RESERVED, []);
    expect(cell()).toBe("예약");
  });
});
