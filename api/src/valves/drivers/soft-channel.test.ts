import { describe, expect, test } from "vitest";
import { LIMIT_SECONDS, type ValveNews } from "./driver.ts";
import {
  afterNews,
  closing,
  isAwaited,
  isLimited,
  NO_NEWS,
  opening,
  type SoftChannel,
} from "./soft-channel.ts";

const NOON = Date.parse("2026-11-21T03:00:00Z");
const moment = (ms: number) => ({ now: NOON + ms, monotonic: ms });
const on = (secondsLeft?: number | null): ValveNews => ({
  kind: "valve",
  number: 1,
  isOpen: true,
  ...(secondsLeft === undefined ? {} : { secondsLeft }),
});
const off: ValveNews = { kind: "valve", number: 1, isOpen: false };
const shut: SoftChannel = afterNews(NO_NEWS, off, moment(0));
const kept = (["closed-at-power-up", "limit"] as const).reduce<SoftChannel>(
  (channel, what) => afterNews(channel, { kind: "kept", number: 1, what, isKept: true }, moment(0)),
  shut,
);

describe("a valve that only opens and closes", () => {
  test("[CMD-2] keeps the old state after an open was sent until the valve reports open", () => {
    const asked = opening(shut, "press-1", 60_000, moment(0));
    expect(asked).toMatchObject({ onoff: 2, runUntil: null, commandId: null });
    expect(afterNews(asked, on(), moment(900))).toMatchObject({
      onoff: 1,
      commandId: "press-1",
      runUntil: NOON + 60_000,
      asked: null,
    });
  });

  test("[RUN-2] the end that the valve reports takes precedence over the requested one", () => {
    const asked = opening(shut, "press-1", 600_000, moment(0));
    expect(afterNews(asked, on(120), moment(1_000)).runUntil).toBe(NOON + 121_000);
  });

  test("[W-14] an end that is some seconds off by the valve's clock is the requested one", () => {
    const open = afterNews(opening(shut, "press-1", 600_000, moment(0)), on(592), moment(500));
    expect(open.runUntil).toBe(NOON + 600_000);
    expect(afterNews(open, on(532), moment(60_000)).runUntil).toBe(NOON + 600_000);
    expect(afterNews(open, on(60), moment(60_000)).runUntil).toBe(NOON + 120_000);
  });

  test("[CMD-6] a valve that opens long after an open was sent was opened by another party", () => {
    const asked = opening(shut, "press-1", 600_000, moment(0));
    expect(isAwaited(asked, moment(29_999))).toBe(true);
    expect(isAwaited(asked, moment(30_000))).toBe(false);
    expect(afterNews(asked, on(), moment(30_000))).toMatchObject({
      onoff: 1,
      commandId: null,
      runUntil: null,
    });
  });

  test("[CMD-6] opened by another party it ends at its own limit, if it has one", () => {
    expect([isLimited(shut), isLimited(kept)]).toEqual([false, true]);
    expect(afterNews(shut, on(), moment(0)).runUntil).toBeNull();
    expect(afterNews(kept, on(), moment(0)).runUntil).toBe(NOON + LIMIT_SECONDS * 1_000);
  });

  test("[CMD-1] a close shows its command once the valve reports closed", () => {
    const open = afterNews(opening(shut, "press-1", 60_000, moment(0)), on(), moment(0));
    const asked = closing(open, "press-2");
    expect(asked).toMatchObject({ onoff: 1, commandId: "press-1" });
    expect(afterNews(asked, off, moment(500))).toMatchObject({
      onoff: 2,
      commandId: "press-2",
      runUntil: null,
    });
  });

  test("[RUN-2] a repeated open state keeps the known end", () => {
    const open = afterNews(opening(shut, "press-1", 60_000, moment(0)), on(), moment(0));
    expect(afterNews(open, on(), moment(40_000)).runUntil).toBe(NOON + 60_000);
    expect(afterNews(open, on(null), moment(40_000)).runUntil).toBeNull();
  });
});
