import type { OwnDisplay } from "@mulkko/shared/rest/displays";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers } from "@mulkko/shared/testing/fake-timers";
import { beforeEach, describe, expect, it } from "vitest";
import { ApiError, NoAnswerError } from "../../api/errors.ts";
import { createFakeStorage } from "../../testing/fake-storage.ts";
import { buildDisplay } from "../testing/build-display.ts";
import {
  createDisplaySession,
  createDisplayStorage,
  DISPLAY_KEY,
  type DisplaySession,
  SETTINGS_EVERY_MS,
} from "./display-session.ts";

const refused = (status: number) => new ApiError(status, { code: "unauthorized", message: "" }, null);
const own = (name = "관리실"): OwnDisplay => ({ display: buildDisplay({ name }), zone: "Asia/Seoul" });

describe("sign-in of a screen", () => {
  let timers: FakeTimers;
  let stored: Map<string, string>;
  let answer: () => OwnDisplay;
  let session: DisplaySession;
  beforeEach(() => {
    timers = createFakeTimers(createFakeClock());
    answer = own;
    const memory = createFakeStorage();
    stored = memory.items;
    const storage = createDisplayStorage(memory);
    session = createDisplaySession({ storage, askDisplay: async () => answer(), timers, random: () => 0.5 });
  });
  const state = () => session.store.getState();
  const start = async (token?: string) => {
    if (token) stored.set(DISPLAY_KEY, JSON.stringify({ token }));
    session.start();
    await timers.pass(0);
  };

  it("[wall] asks for pairing without a token and stores the one it receives", async () => {
    await start();
    expect(state()).toEqual({ at: "unpaired" });
    session.paired("mkd_1", buildDisplay());
    await timers.pass(0);
    expect(state()).toMatchObject({ at: "showing", token: "mkd_1", zone: "Asia/Seoul" });
    expect(stored.get(DISPLAY_KEY)).toContain("mkd_1");
  });

  it("[wall] shows its farm after every start with a token, and waits for an unreachable relay", async () => {
    answer = () => {
      throw new NoAnswerError("GET /relay/display");
    };
    await start("mkd_1");
    expect(state()).toEqual({ at: "starting", unreachable: true });
    answer = own;
    await timers.pass(60_000);
    expect(state()).toMatchObject({ at: "showing" });
  });

  it("[wall] follows settings changed elsewhere", async () => {
    await start("mkd_1");
    const before = state();
    await timers.pass(SETTINGS_EVERY_MS);
    expect(state()).toBe(before);
    answer = () => own("선별장");
    await timers.pass(SETTINGS_EVERY_MS);
    expect(state()).toMatchObject({ display: { settings: { name: "선별장" } } });
  });

  it.each([401, 403])("[wall] reports a revoked token (%i) and never leads to a login", async (status) => {
    await start("mkd_1");
    answer = () => {
      throw refused(status);
    };
    expect(await session.prove()).toBeNull();
    expect(state()).toEqual({ at: "revoked" });
    session.forget();
    expect(state()).toEqual({ at: "unpaired" });
    expect(stored.size).toBe(0);
  });

  it("[wall] names a suspended account as the reason and recovers by itself", async () => {
    await start("mkd_1");
    answer = () => {
      throw new ApiError(403, { code: "account-disabled", message: "" }, null);
    };
    await timers.pass(SETTINGS_EVERY_MS);
    expect(state()).toEqual({ at: "suspended" });
    answer = own;
    await timers.pass(SETTINGS_EVERY_MS);
    expect(state()).toMatchObject({ at: "showing" });
  });

  it("[wall] recovers by itself after the relay lost and restored its displays", async () => {
    await start("mkd_1");
    answer = () => {
      throw refused(401);
    };
    await timers.pass(SETTINGS_EVERY_MS);
    expect(state()).toEqual({ at: "revoked" });
    answer = own;
    await timers.pass(SETTINGS_EVERY_MS);
    expect(state()).toMatchObject({ at: "showing" });
  });

  it("[wall] keeps the farm after any error except a refusal", async () => {
    await start("mkd_1");
    for (const error of [refused(500), refused(429), new NoAnswerError("GET /relay/display")]) {
      answer = () => {
        throw error;
      };
      await timers.pass(SETTINGS_EVERY_MS);
      expect(state()).toMatchObject({ at: "showing" });
    }
  });

  it("[wall] works with a storage that keeps nothing", () => {
    const storage = createDisplayStorage({
      getItem: () => {
        throw new Error("denied");
      },
      setItem: () => {
        throw new Error("denied");
      },
      removeItem: () => undefined,
    });
    storage.write("mkd_1");
    expect(storage.read()).toBe("mkd_1");
  });
});
