import { settle } from "@mulkko/shared/testing/fake-timers";
import { describe, expect, it } from "vitest";
import { createSharedCalls } from "./shared-calls.ts";

/** Create work that ends when a test says so. */
function createWork() {
  const begun: { signal: AbortSignal; end: (value: string) => void; fail: (error: Error) => void }[] = [];
  const work = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => begun.push({ signal, end: resolve, fail: reject }));
  return { begun, work };
}
const stay = new AbortController().signal;

describe("shared calls", () => {
  it("[history] concurrent callers of one key share one execution", async () => {
    const calls = createSharedCalls<string>();
    const { begun, work } = createWork();
    const first = calls.join("a", stay, work);
    const second = calls.join("a", stay, work);
    expect([first.began, second.began, begun.length]).toEqual([true, false, 1]);
    begun[0]?.end("rows");
    expect(await Promise.all([first.result, second.result])).toEqual(["rows", "rows"]);
    calls.join("a", stay, work);
    expect(begun).toHaveLength(2);
  });

  it("[history] the work continues while one caller waits, and is cancelled with the last", async () => {
    const calls = createSharedCalls<string>();
    const { begun, work } = createWork();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = calls.join("a", one.signal, work);
    const second = calls.join("a", two.signal, work);
    one.abort(new Error("gone"));
    await expect(first.result).rejects.toThrow("gone");
    expect(begun[0]?.signal.aborted).toBe(false);
    two.abort(new Error("gone too"));
    await expect(second.result).rejects.toThrow("gone too");
    expect(begun[0]?.signal.aborted).toBe(true);
  });

  it("[history] a caller after the cancellation starts new work", async () => {
    const calls = createSharedCalls<string>();
    const { begun, work } = createWork();
    const one = new AbortController();
    const first = calls.join("a", one.signal, work);
    one.abort(new Error("gone"));
    await expect(first.result).rejects.toThrow("gone");
    const second = calls.join("a", stay, work);
    begun[0]?.fail(new Error("aborted"));
    begun[1]?.end("rows");
    expect(await second.result).toBe("rows");
  });

  it("[history] a failure reaches all waiting callers, and is not remembered", async () => {
    const calls = createSharedCalls<string>();
    const { begun, work } = createWork();
    const waiting = [calls.join("a", stay, work).result, calls.join("a", stay, work).result];
    const outcomes = Promise.allSettled(waiting);
    begun[0]?.fail(new Error("away"));
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await settle();
    expect(calls.join("a", stay, work).began).toBe(true);
  });
});
