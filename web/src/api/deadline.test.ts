import { describe, expect, it } from "vitest";
import { createDeadline } from "./http.ts";

const LONG_MS = 60_000;
const ended = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => signal.addEventListener("abort", () => resolve(signal.reason)));

describe("deadline of a call", () => {
  it("[rest] aborts after its time", async () => {
    const { signal } = createDeadline(1, undefined);
    expect(await ended(signal)).toMatchObject({ name: "TimeoutError" });
  });

  it("[rest] aborts with the caller's own signal, also one aborted before", async () => {
    const own = new AbortController();
    const first = createDeadline(LONG_MS, own.signal);
    expect(first.signal.aborted).toBe(false);
    own.abort();
    const second = createDeadline(LONG_MS, own.signal);
    for (const { signal, over } of [first, second]) {
      expect(signal.aborted).toBe(true);
      expect(signal.reason).toMatchObject({ name: "AbortError" });
      over();
    }
  });

  it("[rest] does not abort after the answer", () => {
    const own = new AbortController();
    const { signal, over } = createDeadline(LONG_MS, own.signal);
    over();
    own.abort();
    expect(signal.aborted).toBe(false);
  });
});
