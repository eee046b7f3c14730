import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import { settle } from "@mulkko/shared/testing/fake-timers";
import { beforeEach, describe, expect, it } from "vitest";
import { createFakeStorage } from "../../testing/fake-storage.ts";
import { ASK_EVERY_MS, createReloader } from "./reload.ts";

describe("reload of a wall", () => {
  let clock: FakeClock;
  let answer: () => Promise<string>;
  let asked: number;
  let reloads: number;
  let reloader: ReturnType<typeof createReloader>;
  beforeEach(() => {
    clock = createFakeClock();
    answer = async () => '{"build":"b2"}';
    asked = 0;
    reloads = 0;
    reloader = createReloader({
      clock,
      askVersion: () => {
        asked += 1;
        return answer();
      },
      reload: () => {
        reloads += 1;
      },
      storage: createFakeStorage(),
    });
  });

  it("[wall] reloads if the server answers", async () => {
    reloader.whenServed();
    await settle();
    expect(reloads).toBe(1);
  });

  it("[wall] never reloads without the server, nor if another server answers in its place", async () => {
    answer = async () => {
      throw new TypeError("Failed to fetch");
    };
    reloader.whenServed();
    await settle();
    clock.advance(ASK_EVERY_MS);
    answer = async () => "<h1>Sign in to this network</h1>";
    reloader.whenServed();
    await settle();
    expect([asked, reloads]).toEqual([2, 0]);
  });

  it("[wall] asks at most every half minute", async () => {
    answer = async () => {
      throw new TypeError("Failed to fetch");
    };
    for (let second = 0; second < 60; second += 1) {
      reloader.whenServed();
      clock.advance(1_000);
      await settle();
    }
    expect(asked).toBe(2);
  });

  it("[HS-4] reloads into a newer build once, whatever page comes back", async () => {
    const go = async (served: string | null) => {
      reloader.intoNewer("b1", served, () => true);
      await settle();
      clock.advance(ASK_EVERY_MS);
      return [asked, reloads];
    };
    expect(await go("b1")).toEqual([0, 0]);
    expect(await go(null)).toEqual([0, 0]);
    expect(await go("b2")).toEqual([1, 1]);
    expect(await go("b2")).toEqual([1, 1]);
  });

  it("[HS-4] asks which build is served for a screen without a farm, and loads a newer one once", async () => {
    const check = async () => {
      reloader.whenNewer("b1");
      await settle();
      clock.advance(ASK_EVERY_MS);
      return [asked, reloads];
    };
    answer = async () => '{"build":"b1"}';
    expect(await check()).toEqual([1, 0]);
    answer = async () => '{"build":"b2"}';
    expect(await check()).toEqual([2, 1]);
    expect(await check()).toEqual([3, 1]);
  });

  it("[HS-4] retries for a newer build while its server does not answer", async () => {
    answer = async () => {
      throw new TypeError("Failed to fetch");
    };
    for (let turn = 0; turn < 3; turn += 1) {
      reloader.intoNewer("b1", "b2", () => true);
      await settle();
      clock.advance(ASK_EVERY_MS);
    }
    expect([asked, reloads]).toEqual([3, 0]);
    answer = async () => '{"build":"b2"}';
    reloader.intoNewer("b1", "b2", () => true);
    await settle();
    expect(reloads).toBe(1);
  });

  it("[HS-4] does not load a newer build while busy, nor if that starts before the answer", async () => {
    reloader.intoNewer("b1", "b2", () => false);
    await settle();
    expect(asked).toBe(0);
    let may = true;
    reloader.intoNewer("b1", "b2", () => may);
    may = false;
    await settle();
    expect([asked, reloads]).toEqual([1, 0]);
  });
});
