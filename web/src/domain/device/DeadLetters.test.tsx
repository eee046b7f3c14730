import type { DeadLetterReport } from "@mulkko/shared/rest/dead-letter";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPageBench, type PageBench } from "../../testing/page-bench.tsx";
import { DeadLetters } from "./DeadLetters.tsx";

const REPORT: DeadLetterReport = {
  count: 3,
  more: false,
  letters: [
    {
      at: "2026-11-21T03:00:00.000Z",
      topic: "mulkko/24/up",
      faults: [
        { reason: "out-of-range", field: "moisture" },
        { reason: "of-tomorrow", field: null },
      ],
      text: '{"moisture": 140}',
    },
    { at: "2026-11-21T02:00:00.000Z", topic: "t", faults: [{ reason: "not-json", field: null }], text: "a" },
    { at: "2026-11-21T01:00:00.000Z", topic: "t", faults: [{ reason: "not-json", field: null }], text: "b" },
  ],
};

describe("messages of a device that could not be decoded", () => {
  let page: PageBench;
  const show = async (extensions: readonly string[], report: unknown) => {
    page = await createPageBench();
    page.answer = (call) =>
      call === "GET /relay/config" ? { apiTimezone: "Asia/Seoul", extensions, build: "x" } : report;
    page.show(<DeadLetters id="d 1" />);
    page.link("live");
  };
  const asked = () =>
    page.requests.filter(({ call }) => call.includes("dead-letters")).map(({ call }) => call);
  beforeEach(() => localStorage.clear());
  afterEach(cleanup);

  it("[dead-letters] shows their number, and reason, time and content of the last one", async () => {
    await show(["dead-letters"], REPORT);
    await screen.findByRole("heading", { name: "지난 7일 동안 읽지 못한 메시지 3건" });
    expect(screen.getByText(/수분: 있을 수 없는 값 · 읽지 못함/)).not.toBeNull();
    expect(screen.getByText(/{"moisture": 140}/)).not.toBeNull();
    expect(screen.getByText("이전 메시지 2건 보기")).not.toBeNull();
    expect(asked()).toEqual(["GET /api/v1/device/d%201/dead-letters"]);
  });

  it("[dead-letters] is hidden without such messages, and if the farm API does not report them", async () => {
    await show(["dead-letters"], { count: 0, more: false, letters: [] });
    await waitFor(() => expect(asked()).toHaveLength(1));
    expect(screen.queryByRole("heading")).toBeNull();
    cleanup();
    await show([], REPORT);
    await waitFor(() => expect(page.requests).toHaveLength(1));
    expect(asked()).toEqual([]);
  });
});
