import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers } from "@mulkko/shared/testing/fake-timers";
import { beforeEach, describe, expect, it } from "vitest";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { PairingState } from "../pairing/pairing.ts";
import type { DisplayState } from "../session/display-session.ts";
import { IDLE_CHECK_MS, watchIdleBuild } from "./idle-build.ts";

describe("newer client for a screen without a farm", () => {
  let timers: FakeTimers;
  let pairing: StoreApi<PairingState>;
  let looks: number;
  beforeEach(() => {
    timers = createFakeTimers(createFakeClock());
    pairing = createStore<PairingState>(() => ({ state: "asking", unreachable: false }));
    looks = 0;
  });
  const watch = (at: DisplayState["at"]) =>
    watchIdleBuild(at, pairing, timers, () => {
      looks += 1;
    });
  const showCode = (code: string) =>
    pairing.setState({ state: "code", code, approvePath: "/displays", approveUrl: null, endsAt: 0 }, true);

  it.each(["starting", "revoked"] as const)("[HS-4] is checked every ten minutes while %s", async (at) => {
    const stop = watch(at);
    await timers.pass(3 * IDLE_CHECK_MS);
    expect(looks).toBe(3);
    stop();
    await timers.pass(3 * IDLE_CHECK_MS);
    expect(looks).toBe(3);
  });

  it("[HS-4] is checked when a code is replaced, never while a user may be typing it", async () => {
    const stop = watch("unpaired");
    showCode("BCDFGHJK");
    await timers.pass(3 * IDLE_CHECK_MS);
    expect(looks).toBe(0);
    showCode("LMNPQRST");
    expect(looks).toBe(1);
    stop();
    showCode("VWXZBCDF");
    expect(looks).toBe(1);
  });

  it("[HS-4] is left to the page rotation if there is a farm", async () => {
    watch("showing");
    showCode("BCDFGHJK");
    showCode("LMNPQRST");
    await timers.pass(3 * IDLE_CHECK_MS);
    expect(looks).toBe(0);
  });
});
