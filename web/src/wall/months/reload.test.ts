import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import { beforeEach, describe, expect, it } from "vitest";
import { settle } from "../../live/testing/fake-relay.ts";
import { ASK_EVERY_MS, createReloader, type Reloader } from "./reload.ts";

describe("loading a wall anew", () => {
  let clock: FakeClock;
  let answer: () => Promise<string>;
  let asked: number;
  let reloads: number;
  let kept: Map<string, string>;
  let reloader: Reloader;
  beforeEach(() => {
    clock = createFakeClock();
    answer = async () => '{"build":"b2"}';
    asked = 0;
    reloads = 0;
    kept = new Map();
    reloader = createReloader({
      clock,
      askVersion: () => {
        asked += 1;
        return answer();
      },
      reload: () => {
        reloads += 1;
      },
      kept: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
    });
  });

  it("[wall] happens where the server answers", async () => {
    reloader.whenServed();
    await settle();
    expect(reloads).toBe(1);
  });

  it("[wall] never goes into nothing, nor to something else that answers in its place", async () => {
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

  it("[wall] asks every half minute at most", async () => {
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

  it("[HS-4] goes into a newer build once, however the page comes back", async () => {
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

  it("[HS-4] a screen without a farm asks for itself which build is served, and goes for a newer one once", async () => {
    const look = async () => {
      reloader.whenNewer("b1");
      await settle();
      clock.advance(ASK_EVERY_MS);
      return [asked, reloads];
    };
    answer = async () => '{"build":"b1"}';
    expect(await look()).toEqual([1, 0]);
    answer = async () => '{"build":"b2"}';
    expect(await look()).toEqual([2, 1]);
    expect(await look()).toEqual([3, 1]);
  });

  it("[HS-4] asks for a newer build again and again while its server does not answer", async () => {
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

  it("[HS-4] does not go for a newer build while it must not, nor where that begins before the answer", async () => {
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
