import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { describe, expect, it } from "vitest";
import { CURSOR_MS, createCursor } from "./use-wall-screen.ts";

describe("cursor", () => {
  it("[wall] is hidden, shown while it moves, and hidden three seconds after", async () => {
    const timers = createFakeTimers(createFakeClock());
    const said: boolean[] = [];
    const cursor = createCursor(timers, (shown) => said.push(shown));
    cursor.moved();
    await timers.pass(CURSOR_MS - 1);
    cursor.moved();
    await timers.pass(CURSOR_MS - 1);
    expect(said).toEqual([false, true]);
    await timers.pass(1);
    expect(said).toEqual([false, true, false]);
  });
});
