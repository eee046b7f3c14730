import { act, cleanup, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPageBench, type PageBench } from "../testing/page-bench.tsx";
import { useRefreshed } from "./use-refreshed.ts";

const REST = 60_000;
const ROUND = 600_000;

let change: () => void;
let prompt: () => void;
let again: () => void;
let begin: number;
let asked: number[];
let answer: (count: number) => unknown;

function Part() {
  const [inputs, setInputs] = useState(0);
  const [promptInputs, setPrompt] = useState(0);
  const { value, failure, ...refreshed } = useRefreshed({
    queryKey: ["text"],
    ask(_, signal) {
      asked.push(Math.round(performance.now() - begin));
      const found = answer(asked.length);
      signal.addEventListener("abort", () => screen.getByTestId("aborted").append("x"));
      return Promise.resolve(found);
    },
    inputs: `${inputs}`,
    promptInputs: `${promptInputs}`,
    restMs: REST,
    roundMs: ROUND,
  });
  change = () => setInputs((count) => count + 1);
  prompt = () => setPrompt((count) => count + 1);
  again = refreshed.again;
  return (
    <>
      <p data-testid="value">{`${value} ${failure}`}</p>
      <p data-testid="aborted" />
    </>
  );
}

describe("refreshed value", () => {
  let page: PageBench;

  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  const shown = () => screen.getByTestId("value").textContent;
  beforeEach(async () => {
    page = await createPageBench();
    vi.useFakeTimers();
    asked = [];
    answer = (count) => count;
    begin = performance.now();
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });
  const start = () => {
    page.show(<Part />);
    return pass(0);
  };

  it("[WAT-3] loads at once, again soon after a change, and no more often than allowed while changes continue", async () => {
    await start();
    expect(shown()).toBe("1 null");
    for (let turn = 0; turn < 1_300; turn += 1) {
      act(change);
      await pass(100);
    }
    expect(asked).toEqual([0, 2_000, 12_000, 62_000, 122_000]);
    expect(shown()).toBe("5 null");
  });

  it("[WAT-3] loads soon after a change, once for simultaneous changes", async () => {
    await start();
    await pass(100_000);
    act(change);
    act(change);
    await pass(1_000);
    expect(asked).toEqual([0, 100_400]);
  });

  it("[MODE-2] loads soon after a change that a user waits for, however often it has loaded before", async () => {
    await start();
    for (const _ of [1, 2, 3]) {
      act(change);
      await pass(REST);
    }
    act(again);
    await pass(0);
    const before = asked.length;
    act(change);
    await pass(5_000);
    expect(asked).toHaveLength(before);
    act(prompt);
    await pass(500);
    expect(asked).toHaveLength(before + 1);
    for (let turn = 0; turn < 40; turn += 1) {
      act(prompt);
      await pass(100);
    }
    expect(asked).toHaveLength(before + 3);
  });

  it("[WAT-3] reloads in regular intervals without a change", async () => {
    await start();
    await pass(2 * ROUND);
    expect(asked).toEqual([0, ROUND, 2 * ROUND]);
  });

  it("[irrigation] reports a failure and tries again in the next interval", async () => {
    answer = (count) => (count === 1 ? Promise.reject(new Error("away")) : count);
    await start();
    expect(shown()).toBe("null unknown");
    await pass(ROUND + 1);
    expect(shown()).toBe("2 null");
  });

  it("[irrigation] keeps the value after a failure", async () => {
    answer = (count) => (count === 2 ? Promise.reject(new Error("away")) : count);
    await start();
    await pass(ROUND + 1);
    expect(shown()).toBe("1 unknown");
  });

  it("[irrigation] drops an outdated answer and aborts its call", async () => {
    const waiting: ((text: string) => void)[] = [];
    answer = () => new Promise((resolve) => waiting.push(resolve));
    await start();
    act(again);
    await pass(0);
    expect(screen.getByTestId("aborted").textContent).toBe("x");
    waiting[1]?.("new");
    waiting[0]?.("old");
    await pass(0);
    expect(shown()).toBe("new null");
  });

  it("[irrigation] stops when the page is left", async () => {
    await start();
    act(change);
    cleanup();
    await pass(2 * ROUND);
    expect(asked).toEqual([0]);
  });
});
