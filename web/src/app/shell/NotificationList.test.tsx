import type { Notification } from "@mulkko/shared/entities/notification";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { useEffect } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPageBench, type PageBench, refusal } from "../../testing/page-bench.tsx";
import { NotificationList, READ_AFTER_MS } from "./BellLists.tsx";
import { useNotifications } from "./use-notifications.ts";

const LIST = "GET /api/v1/noti/list";
const READ = "POST /api/v1/noti/read";
const CONFIG = "GET /relay/config";
const note = (
  id: number | null,
  unread: boolean | 0 | 1,
  change: Partial<Notification> = {},
): Notification => ({
  id,
  type: "BATTERY",
  message: `Soil ${id}: battery 5 %`,
  createdDate: "2026-11-21 12:00:00",
  unread,
  ...change,
});

function OpenList() {
  const { refetch } = useNotifications();
  useEffect(() => void refetch(), [refetch]);
  return <NotificationList />;
}

describe("list of notifications", () => {
  let page: PageBench;
  let list: readonly Notification[];
  let extensions: readonly string[];
  const show = async () => {
    page.answer = (call) => {
      if (call === LIST) return list;
      if (call === CONFIG) return { apiTimezone: "Asia/Seoul", extensions, build: "b" };
      return call === READ ? null : undefined;
    };
    page.show(<OpenList />);
    await act(() => vi.advanceTimersByTimeAsync(100));
  };
  const calls = (name: string) => page.requests.filter(({ call }) => call === name);
  beforeEach(async () => {
    page = await createPageBench();
    extensions = ["noti-read"];
    vi.useFakeTimers();
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    localStorage.clear();
  });

  it("[notifications] shows type, message, and new or old", async () => {
    list = [
      note(3, true),
      note(2, 0, { type: "RSSI" }),
      note(1, 1, { type: "DEVICE" }),
      note(4, true, { type: "PUMP" }),
    ];
    await show();
    const lines = screen.getAllByRole("listitem").map(({ textContent }) => textContent ?? "");
    expect(lines[0]).toContain("배터리 부족새 알림Soil 3: battery 5 %");
    expect(lines[1]).toContain("신호 약함지난 알림");
    expect(lines[2]).toContain("장치 이상새 알림");
    expect(lines[3]).toContain("PUMP새 알림");
  });
  it("[notifications] loads each time it opens", async () => {
    list = [note(1, false)];
    await show();
    cleanup();
    await show();
    expect(calls(LIST)).toHaveLength(2);
  });
  it("[notifications] reports a failed load", async () => {
    await show();
    cleanup();
    page.answer = (call) => (call === LIST ? refusal(503, "upstream-down") : undefined);
    page.show(<OpenList />);
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(screen.getByRole("alert").textContent).toContain("농장 서버에 연결할 수 없습니다");
  });
  it("[notifications] marks them as read after three seconds, and not if closed before", async () => {
    list = [note(3, true), note(2, false), note(1, true)];
    await show();
    await act(() => vi.advanceTimersByTimeAsync(READ_AFTER_MS - 200));
    cleanup();
    await act(() => vi.advanceTimersByTimeAsync(READ_AFTER_MS));
    expect(calls(READ)).toEqual([]);
    await show();
    await act(() => vi.advanceTimersByTimeAsync(READ_AFTER_MS));
    expect(calls(READ)).toEqual([{ call: READ, body: { ids: [3, 1] } }]);
    expect(screen.getAllByText("새 알림")).toHaveLength(2);
  });
  it("[notifications] marks all as read by one press and shows them as old", async () => {
    list = [note(2, true), note(1, true)];
    await show();
    fireEvent.click(screen.getByRole("button", { name: "2개 모두 읽음으로 표시" }));
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(screen.queryByText("새 알림")).toBeNull();
    expect(screen.queryByRole("button", { name: /읽음/ })).toBeNull();
  });
  it("[notifications] does not call an API that cannot mark them or gives them no numbers", async () => {
    list = [note(null, true)];
    await show();
    await act(() => vi.advanceTimersByTimeAsync(READ_AFTER_MS));
    extensions = [];
    expect(screen.queryByRole("button", { name: /읽음/ })).toBeNull();
    cleanup();
    page = await createPageBench();
    list = [note(1, true)];
    await show();
    await act(() => vi.advanceTimersByTimeAsync(READ_AFTER_MS));
    expect(screen.queryByRole("button", { name: /읽음/ })).toBeNull();
    expect(calls(READ)).toEqual([]);
  });
});
