import type { History } from "@mulkko/shared/rest/history";
import { eventually } from "@mulkko/shared/testing/eventually";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseValue } from "../../live/store.ts";
import { sensorValue } from "../../live/testing/fake-relay.ts";
import { createPageBench, type PageBench, refusal } from "../../testing/page-bench.tsx";
import { LogBoard } from "./LogBoard.tsx";
import { DEFAULT_CHOICE, type RangeChoice } from "./range/range.ts";
import type { LogSource } from "./sources/source.ts";

const SOURCES: readonly LogSource[] = [{ kind: "sensor", id: "s1" }];

const history = (max: number): History => ({
  from: "2026-11-21T00:00:00Z",
  to: "2026-11-21T03:00:00Z",
  source: "computed",
  series: [
    {
      sensorId: "s1",
      start: "2026-11-21T00:00:00Z",
      step: 3_600_000,
      count: [1],
      fields: {
        moisture: {
          min: [max],
          max: [max],
          avg: [max],
          last: [max],
          statistics: { max, min: max, avg: max, variance: 0 },
        },
      },
    },
  ],
});

function Board() {
  const [choice, choose] = useState<RangeChoice>(DEFAULT_CHOICE);
  return (
    <>
      <button
        type="button"
        onClick={() => choose({ kind: "custom", start: "2020-05-01", end: "2020-05-02" })}
      >
        past
      </button>
      <LogBoard sources={SOURCES} choice={choice} onChoose={choose} />
    </>
  );
}

const largest = () => screen.getAllByTestId("statistics")[1]?.querySelector("dd")?.textContent;
const isBusy = () => screen.getByTestId("charts").getAttribute("aria-busy") === "true";

describe("log board", () => {
  let bench: PageBench;
  let say: (answer: unknown) => void = () => undefined;
  beforeEach(async () => {
    document.documentElement.dataset.surface = "desktop";
    bench = await createPageBench();
    bench.answer = (call) =>
      call.includes("/history")
        ? new Promise((resolve) => {
            say = resolve;
          })
        : undefined;
    const entry = parseValue("sensor", "s1", sensorValue());
    if (!entry) throw new Error("the value does not fit its schema");
    bench.show(<Board />);
    act(() => bench.live.client.store.apply({ put: [entry], remove: [] }));
    await eventually(() => expect(bench.requests.length).toBe(1));
    say(history(31));
    await eventually(() => expect(largest()).toBe("31.0"));
  });
  afterEach(() => {
    cleanup();
    delete document.documentElement.dataset.surface;
  });

  it("[spec 4] shows a loading state for a new range, without statistics of the last one", async () => {
    expect(isBusy()).toBe(false);
    fireEvent.click(screen.getByRole("button", { name: "1주" }));
    expect(isBusy()).toBe(true);
    expect(largest()).toBe("--");
    expect(screen.getByText("이 기간의 기록을 불러오는 중")).not.toBeNull();
    say(history(44));
    await eventually(() => expect(largest()).toBe("44.0"));
    expect(isBusy()).toBe(false);
    expect(screen.queryByText("이 기간의 기록을 불러오는 중")).toBeNull();
  });

  it("[log] shows the newest value in a card's heading, but not for a past range", async () => {
    const newest = () => screen.getAllByTestId("value-now")[0]?.textContent;
    expect(newest()).not.toBe("");
    fireEvent.click(screen.getByRole("button", { name: "past" }));
    say(history(44));
    await eventually(() => expect(largest()).toBe("44.0"));
    expect(newest()).toBe("");
  });

  it("[log] reports a range that failed, and shows the loading state for the next one", async () => {
    fireEvent.click(screen.getByRole("button", { name: "1주" }));
    say(refusal(500, "internal"));
    await eventually(() => expect(screen.getByText("다시 시도")).not.toBeNull());
    fireEvent.click(screen.getByRole("button", { name: "1일" }));
    expect(screen.queryByText("다시 시도")).toBeNull();
    expect(isBusy()).toBe(true);
  });
});
