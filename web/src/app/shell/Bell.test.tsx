import type { Notification } from "@mulkko/shared/entities/notification";
import { RELAY_ACTOR } from "@mulkko/shared/live/devices";
import type { LiveEvent } from "@mulkko/shared/live/events";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addEvent } from "../../live/ingest.ts";
import { buildAlarm } from "../../testing/build-alarm.ts";
import { createPageBench, type PageBench, refusal } from "../../testing/page-bench.tsx";
import { Bell } from "./Bell.tsx";

const LIST = "GET /api/v1/noti/list";
const note = (id: number, createdDate: string, unread = true): Notification => ({
  id,
  type: "RSSI",
  message: `Soil ${id}: weak signal`,
  createdDate,
  unread,
});

describe("bell", () => {
  let page: PageBench;
  let list: readonly Notification[];
  const asked = () => page.requests.filter(({ call }) => call === LIST).length;
  beforeEach(async () => {
    page = await createPageBench();
    list = [
      note(2, "2026-11-21 12:00:00"),
      note(1, "2026-11-20 12:00:00"),
      note(3, "2026-11-19 12:00:00", false),
    ];
    page.answer = (call) => {
      if (call === LIST) return list;
      return call === "GET /relay/config"
        ? { apiTimezone: "Asia/Seoul", extensions: [], build: "b" }
        : undefined;
    };
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });
  const show = () => {
    page.show(<Bell />);
    page.link("live");
  };
  const happen = (...events: readonly LiveEvent[]) =>
    act(() => {
      for (const [offset, event] of events.entries()) addEvent(page.live.client.events, { offset, event });
    });
  const bell = (name: string) => screen.findByRole("button", { name });

  it("[notifications] counts unread ones that arrived before the page opened", async () => {
    show();
    await bell("새 알림 2개 2");
  });
  it("[notifications] counts notifications and events together, and a live notification once", async () => {
    show();
    await bell("새 알림 2개 2");
    list = [note(4, "2026-11-21 12:01:00"), ...list];
    happen(
      { kind: "flip", at: "2026-11-21T03:01:00Z", key: "sensor:s1", online: false, last: null },
      {
        kind: "notification",
        at: "2026-11-21T03:01:00Z",
        id: 4,
        type: "RSSI",
        message: "Soil 4: weak signal",
        createdDate: "2026-11-21T03:01:00Z",
        unread: true,
      },
    );
    await bell("새 알림 4개 4");
  });
  it("[notifications] loads them when it opens, shows new ones first, and resets the count", async () => {
    show();
    const before = asked();
    fireEvent.click(await bell("새 알림 2개 2"));
    await screen.findByText("Soil 2: weak signal");
    expect(asked()).toBe(before + 1);
    fireEvent.click(screen.getByRole("button", { expanded: true }));
    await bell("알림");
    cleanup();
    show();
    await waitFor(() => expect(asked()).toBe(before + 2));
    await bell("알림");
  });
  it("[ALM-2] gives an alarm the age that the strip gives it: since its device was last received", async () => {
    list = [];
    show();
    const now = page.live.clock.now();
    const ago = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
    const alarm = buildAlarm({
      type: "controller-offline",
      key: "controller:c1",
      priority: 2,
      raisedAt: ago(2),
      detail: { since: ago(6) },
    });
    page.putAlarms(alarm);
    happen(
      { kind: "alarm", at: ago(2), alarm },
      { kind: "flip", at: ago(3), key: "sensor:s1", online: false, last: ago(64) },
    );
    fireEvent.click(await bell("새 알림 2개 2"));
    await screen.findByText("6분 전");
    await screen.findByText("1시간 전");
    expect(screen.queryByText("2분 전")).toBeNull();
    expect(screen.queryByText("3분 전")).toBeNull();
  });
  it("[notifications] counts events also if the list fails to load", async () => {
    page.answer = (call) => (call === LIST ? refusal(503, "upstream-down") : undefined);
    show();
    happen({ kind: "flip", at: "2026-11-21T03:01:00Z", key: "sensor:s1", online: false, last: null });
    await bell("새 알림 1개 1");
  });

  it("[notifications] says what became of a command by its reason, and names an automatic end by its cause", async () => {
    list = [];
    show();
    const command: LiveEvent = {
      kind: "command",
      at: "2026-11-21T03:01:00Z",
      id: "one",
      command: "onoff",
      controllerId: "c",
      channelId: "11",
      number: 1,
      target: 2,
      state: "superseded",
      reason: "channel-gone",
      by: RELAY_ACTOR,
    };
    happen(
      command,
      { ...command, id: "two", by: { id: "a", nickname: "김선우" } },
      { ...command, id: "three", state: "failed", reason: "no-answer", by: { id: "a", nickname: "김선우" } },
    );
    fireEvent.click(await bell("새 알림 1개 1"));
    await screen.findByRole("list", { name: "활동" });
    const lines = screen.getAllByTestId("bell-line").map(({ textContent }) => textContent);
    expect(lines[0]).toContain("닫기 실패 · 농장 서버가 응답하지 않았습니다 · 김선우");
    expect(lines[1]).toContain("닫기 · 이 채널은 삭제되었습니다 · 김선우");
    expect(lines[2]).toContain("자동 종료 · 이 채널은 삭제되었습니다");
    expect(lines[2]).not.toContain("대체");
  });
});
