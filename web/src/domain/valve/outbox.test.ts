import type { CloseAllAnswer, CommandRecord } from "@mulkko/shared/rest/command";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { createRestClient } from "../../api/client.ts";
import type { ValveCommand } from "../../api/commands.ts";
import { createFakeStorage } from "../../testing/fake-storage.ts";
import { OUTBOX_AT_MOST, OUTBOX_KEPT_MS, Outbox } from "./outbox.ts";
import type { OutboxEntry } from "./outbox-entry.ts";

const NOW = Date.parse("2026-11-22T06:00:00Z");
const VALVE = { form: "controller", controllerId: "c1", number: 1 } as const;
const NAME = { channelId: "11", name: "1동 베드" };
const COMMAND: ValveCommand = {
  ...VALVE,
  commandId: "mine-1",
  target: 1,
  runSeconds: 300,
  pressed: { at: NOW, withinMs: 5 },
};
/** The opening as the live stream names it. */
const NAMED = { id: "mine-1", state: "requested" } as const;
const closeOf = (commandId: string) => ({ ...VALVE, commandId, pressed: { at: NOW, withinMs: 5 } });

const recordOf = (state: CommandRecord["state"], reason?: string): Response =>
  Response.json({ commandId: "mine-1", state, target: 1, until: null, ...(reason ? { reason } : {}) });
const noAnswer = (): Promise<Response> => Promise.reject(new TypeError("failed to fetch"));
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

interface Asked {
  readonly path: string;
  readonly key: string | null;
  readonly forAccount: string | null;
  readonly body: unknown;
}

/** Simulate a browser whose network is controlled by the test, with several pages one after another. */
function createBrowser() {
  const memory = createFakeStorage();
  const asked: Asked[] = [];
  const timers = createFakeTimers(createFakeClock());
  const unsure: string[] = [];
  const browser = {
    asked,
    memory,
    timers,
    unsure,
    /** Run the next attempt. */
    tryAgain: () => timers.advance(timers.nextInMs ?? 0),
    stored: () => memory.length,
    now: NOW,
    signedIn: "me" as string | null,
    cmd: noAnswer as (signal: AbortSignal | null) => Promise<Response>,
    withdraw: noAnswer as () => Promise<Response>,
    page(accountId = "me") {
      const rest = createRestClient(
        { accessToken: () => "token", refresh: async () => null },
        async (path, { body, headers, signal = null }) => {
          const sent = new Headers(headers);
          asked.push({
            path,
            key: sent.get("idempotency-key"),
            forAccount: sent.get("x-for-account"),
            body: typeof body === "string" ? JSON.parse(body) : null,
          });
          return path.endsWith("/withdraw") ? browser.withdraw() : browser.cmd(signal);
        },
      );
      const signedIn = () => browser.signedIn;
      const store = createStore<readonly OutboxEntry[]>(() => []);
      return new Outbox({ rest, accountId, signedIn, memory, store, now: () => browser.now, timers });
    },
    paths: () => asked.map(({ path }) => path),
    keys: () => new Set(asked.map(({ key }) => key)),
  };
  return browser;
}

describe("unanswered openings", () => {
  it("[CMD-12] are revoked under their own command id until the relay answers", async () => {
    const browser = createBrowser();
    const outcome = browser.page().open(COMMAND, (reason) => browser.unsure.push(reason));
    await settled();
    expect(browser.unsure).toEqual([]);
    browser.tryAgain();
    await settled();
    expect(browser.unsure).toEqual(["network"]);
    expect(browser.paths()).toEqual(["/api/v1/controller/cmd", "/relay/commands/mine-1/withdraw"]);
    expect(browser.asked[1]?.body).toEqual(browser.asked[0]?.body);
    browser.withdraw = async () => new Response("{}", { status: 503 });
    browser.tryAgain();
    await settled();
    browser.withdraw = async () => recordOf("refused", "command-withdrawn");
    browser.tryAgain();
    expect(await outcome).toEqual({ kind: "refused", reason: "command-withdrawn" });
    expect(browser.paths()).toHaveLength(4);
    expect(browser.stored()).toBe(0);
  });

  it("[CMD-12] are closed by the relay if they were carried out, and shown as on every screen", async () => {
    const browser = createBrowser();
    browser.withdraw = async () => recordOf("superseded");
    const outcome = browser.page().open(COMMAND, () => undefined);
    await settled();
    browser.tryAgain();
    expect(await outcome).toEqual({ kind: "taken" });
    expect(browser.stored()).toBe(0);
  });

  it("[CMD-12] are not revoked after an answer, whatever it is", async () => {
    const browser = createBrowser();
    browser.cmd = async () => recordOf("accepted");
    expect(await browser.page().open(COMMAND, () => undefined)).toEqual({ kind: "taken" });
    browser.cmd = async () => Response.json({ code: "command-expired" }, { status: 409 });
    expect(await browser.page().open(COMMAND, () => undefined)).toEqual({
      kind: "refused",
      reason: "command-expired",
    });
    expect(browser.paths()).toHaveLength(2);
    expect(browser.stored()).toBe(0);
  });

  it("[CMD-12] are left to the relay if the live stream names them", async () => {
    const browser = createBrowser();
    for (const isBefore of [true, false]) {
      const page = browser.page();
      browser.cmd = () => {
        if (isBefore) page.named(NAMED);
        return noAnswer();
      };
      const outcome = page.open(COMMAND, (reason) => browser.unsure.push(reason));
      await settled();
      if (!isBefore) page.named(NAMED);
      browser.tryAgain();
      expect(await outcome).toEqual({ kind: "taken" });
      expect(browser.unsure).toEqual([]);
      expect(browser.asked.splice(0).map(({ path }) => path)).toEqual(["/api/v1/controller/cmd"]);
    }
  });

  it("[CMD-12] are not withdrawn by a page that is left, whose calls fail", async () => {
    const browser = createBrowser();
    void browser.page().open(COMMAND, (reason) => browser.unsure.push(reason));
    await settled();
    const next = browser.page();
    next.resume();
    next.named(NAMED);
    await settled();
    expect(browser.stored()).toBe(0);
    expect(browser.paths()).toEqual(["/api/v1/controller/cmd"]);
  });

  it("[CMD-12] are revoked by the account's next page once the closed page would have given up", async () => {
    const browser = createBrowser();
    browser.cmd = () => new Promise(() => undefined);
    void browser.page().open(COMMAND, () => undefined);
    browser.withdraw = async () => recordOf("refused", "command-withdrawn");
    browser.page("another").resume();
    const next = browser.page();
    browser.now += 5_000;
    next.resume();
    await settled();
    expect(browser.paths()).toEqual(["/api/v1/controller/cmd"]);
    expect(browser.timers.nextInMs).toBe(25_000);
    browser.tryAgain();
    await settled();
    expect(browser.paths()).toEqual(["/api/v1/controller/cmd", "/relay/commands/mine-1/withdraw"]);
    expect(browser.stored()).toBe(0);
  });

  it("[CMD-12] are revoked at once after a reload if their page had given up, and again once it is live", async () => {
    const browser = createBrowser();
    void browser.page().open(COMMAND, () => undefined);
    await settled();
    browser.tryAgain();
    await settled();
    const next = browser.page();
    // Events before the page gave up do not count: the user has read that the opening is revoked.
    next.named(NAMED);
    next.resume();
    await settled();
    expect(browser.paths()).toHaveLength(3);
    browser.withdraw = async () => recordOf("refused", "command-expired");
    next.resume();
    await settled();
    expect(browser.paths()).toHaveLength(4);
    expect(browser.stored()).toBe(0);
  });

  it("[CMD-7] are dropped after a day, as in the relay", async () => {
    const browser = createBrowser();
    browser.cmd = () => new Promise(() => undefined);
    void browser.page().open(COMMAND, () => undefined);
    browser.now += OUTBOX_KEPT_MS;
    browser.page().resume();
    await settled();
    expect(browser.stored()).toBe(0);
    expect(browser.paths()).toHaveLength(1);
  });

  it("[CMD-12] stored by an older build are revoked as well", async () => {
    const browser = createBrowser();
    const { target: _, ...opening } = COMMAND;
    const old = { ...opening, accountId: "me", at: NOW, givenUp: true };
    browser.memory.setItem("mulkko.openings", JSON.stringify([old]));
    browser.withdraw = async () => recordOf("refused", "command-withdrawn");
    browser.page().resume();
    await settled();
    expect(browser.paths()).toEqual(["/relay/commands/mine-1/withdraw"]);
    expect(browser.stored()).toBe(0);
  });
});

describe("a close without an answer", () => {
  it("[CMD-8] is stored before it is sent, and sent under one id until the relay answers", async () => {
    const browser = createBrowser();
    browser.cmd = () => {
      expect(browser.stored()).toBe(1);
      return noAnswer();
    };
    const outcome = browser.page().close(closeOf("close-1"), NAME);
    await settled();
    for (const status of [503, 500, 401, 408, 429]) {
      browser.cmd = async () => new Response("{}", { status });
      browser.tryAgain();
      await settled();
    }
    expect(browser.stored()).toBe(1);
    browser.cmd = async () => recordOf("accepted");
    browser.tryAgain();
    expect(await outcome).toEqual({ kind: "taken", answer: null });
    expect(browser.keys()).toEqual(new Set(["close-1"]));
    expect(browser.asked[0]?.body).toMatchObject({ payload: 2, channel: 1 });
    expect(browser.stored()).toBe(0);
  });

  it("[CMD-8] is sent by the next page after a reload, and at once when the line is back", async () => {
    const browser = createBrowser();
    browser.cmd = () => new Promise(() => undefined);
    void browser.page().close(closeOf("close-1"), NAME);
    await settled();
    browser.cmd = noAnswer;
    const next = browser.page();
    next.resume();
    await settled();
    expect(browser.paths()).toHaveLength(2);
    browser.cmd = async () => recordOf("accepted");
    next.resume();
    await settled();
    expect(browser.keys()).toEqual(new Set(["close-1"]));
    expect(browser.stored()).toBe(0);
  });

  it("[CMD-8] never waits behind a call that gets no answer: the line's return sends it again", async () => {
    const browser = createBrowser();
    browser.cmd = (signal) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const page = browser.page();
    const outcome = page.close(closeOf("close-1"), NAME);
    await settled();
    browser.cmd = async () => recordOf("accepted");
    page.resume();
    expect(await outcome).toMatchObject({ kind: "taken" });
    expect(browser.paths()).toHaveLength(2);
  });

  it("[CMD-8] waits for its own account, and is never sent under another one", async () => {
    const browser = createBrowser();
    void browser.page().close(closeOf("close-1"), NAME);
    await settled();
    expect(browser.asked[0]?.forAccount).toBe("me");
    browser.signedIn = "another";
    browser.tryAgain();
    browser.page("another").resume();
    await settled();
    expect(browser.paths()).toHaveLength(1);
    browser.signedIn = "me";
    browser.cmd = async () => Response.json({ code: "other-account" }, { status: 409 });
    const mine = browser.page();
    mine.resume();
    await settled();
    expect(mine.entries).toMatchObject([{ id: "close-1" }]);
    browser.cmd = async () => recordOf("accepted");
    browser.tryAgain();
    await settled();
    expect(browser.stored()).toBe(0);
  });

  it("[CMD-8] waits while the account is suspended, and is sent when the suspension is lifted", async () => {
    const browser = createBrowser();
    browser.cmd = async () => Response.json({ code: "account-disabled" }, { status: 403 });
    const outcome = browser.page().close(closeOf("close-1"), NAME);
    await settled();
    expect(browser.stored()).toBe(1);
    browser.cmd = async () => recordOf("accepted");
    browser.tryAgain();
    expect(await outcome).toEqual({ kind: "taken", answer: null });
    expect(browser.keys()).toEqual(new Set(["close-1"]));
  });

  it("[CMD-8] is dropped by a later opening of the same valve, and by the user", async () => {
    const browser = createBrowser();
    const page = browser.page();
    const first = page.close(closeOf("close-1"), NAME);
    const other = page.close({ ...closeOf("close-2"), number: 2 }, NAME);
    await settled();
    browser.cmd = async () => recordOf("accepted");
    await page.open(COMMAND, () => undefined);
    expect(await first).toEqual({ kind: "gone" });
    expect(page.entries.map(({ id }) => id)).toEqual(["close-2"]);
    page.takeBack("close-2");
    expect(await other).toEqual({ kind: "gone" });
    const sent = browser.paths().length;
    browser.timers.advance(60_000);
    await settled();
    expect(browser.paths()).toHaveLength(sent);
  });

  it("[CMD-8] ends with a note when it is refused for good, and after a day", async () => {
    const browser = createBrowser();
    const page = browser.page();
    browser.cmd = async () => Response.json({ code: "not-found" }, { status: 404 });
    expect(await page.close(closeOf("gone"), NAME)).toEqual({
      kind: "refused",
      reason: "not-found",
      id: "gone",
    });
    browser.cmd = noAnswer;
    void page.close({ ...closeOf("old"), number: 2 }, NAME);
    await settled();
    browser.now += OUTBOX_KEPT_MS;
    const next = browser.page();
    next.resume();
    await settled();
    expect(next.entries).toMatchObject([
      { id: "gone", ended: "not-found" },
      { id: "old", ended: "outbox-too-old" },
    ]);
    for (const { id } of next.entries) next.dismiss(id);
    expect(browser.stored()).toBe(0);
  });

  it.each(Array.from({ length: 200 }, (_, index) => 400 + index))(
    "[CMD-8] after status %i it is given up only for a reason that will not change",
    async (status) => {
      const final = new Set([400, 403, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415, 416, 422, 428, 431]);
      for (const body of ['{"code":"not-found","message":"no"}', "<html>Welcome to the network</html>"]) {
        const browser = createBrowser();
        const page = browser.page();
        browser.cmd = async () => new Response(body, { status });
        void page.close(closeOf("mine"), NAME);
        // A status may be tried in another way (WAY-1) first.
        for (let tries = 0; tries < 4; tries++) await settled();
        const isGivenUp = page.entries.some(({ ended }) => ended !== undefined);
        expect(isGivenUp, body).toBe(final.has(status) && body.startsWith("{"));
        expect(browser.stored()).toBe(1);
      }
    },
  );

  it("[CMD-8] gives up the oldest, with a note, beyond the limit", async () => {
    const browser = createBrowser();
    const page = browser.page();
    for (let number = 0; number <= OUTBOX_AT_MOST; number += 1) {
      browser.now += 1;
      void page.close({ ...closeOf(`close-${number}`), controllerId: `c${number}` }, NAME);
    }
    await settled();
    const ended = page.entries.filter((entry) => entry.ended !== undefined);
    expect(ended).toMatchObject([{ id: "close-0", ended: "outbox-full" }]);
  });

  it("[CMD-8] is sent from the page alone where the browser stores nothing, and says so", async () => {
    const browser = createBrowser();
    browser.memory.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    const page = browser.page();
    const outcome = page.close(closeOf("close-1"), NAME);
    await settled();
    expect(page.isStored("close-1")).toBe(false);
    browser.cmd = async () => recordOf("accepted");
    browser.tryAgain();
    expect(await outcome).toMatchObject({ kind: "taken" });
  });

  it("[NODE-3] is sent again if a relay without its store could not hand it over", async () => {
    const browser = createBrowser();
    browser.cmd = async () => recordOf("failed", "upstream-down");
    const outcome = browser.page().close(closeOf("close-1"), NAME);
    await settled();
    browser.cmd = async () => recordOf("accepted");
    browser.tryAgain();
    expect(await outcome).toMatchObject({ kind: "taken" });
  });
});

describe("other commands that make water safer", () => {
  it("[RUN-5] a close-all is stored and sent under one job id, and its answer reaches any page", async () => {
    const browser = createBrowser();
    void browser.page().closeAll({ id: "7", name: "논산", valves: [] }, { at: NOW, withinMs: 5 });
    await settled();
    const next = browser.page();
    const answers: CloseAllAnswer[] = [];
    next.onCloseAll((_entry, outcome) => {
      if (outcome.kind === "taken" && outcome.answer) answers.push(outcome.answer);
    });
    browser.cmd = async () => Response.json({ jobId: "j", channels: [] });
    next.resume();
    await settled();
    expect(answers).toHaveLength(1);
    expect(new Set(browser.paths())).toEqual(new Set(["/relay/farms/7/close-all"]));
    expect(browser.keys().size).toBe(1);
    expect(browser.stored()).toBe(0);
  });

  it.each([
    ...(["requested", "accepted", "confirmed", "superseded"] as const).map((state) => ({
      state,
      taken: true,
    })),
    ...(["failed", "refused"] as const).map((state) => ({ state, taken: false })),
    { state: "unconfirmed", reason: "no-answer", taken: false },
    { state: "unconfirmed", reason: "no-confirmation", taken: true },
    { state: "requested", kept: false, taken: false },
    { state: "failed", kept: false, taken: false },
    { state: "unconfirmed", reason: "no-answer", kept: false, taken: false },
    ...(["accepted", "confirmed", "superseded"] as const).map((state) => ({
      state,
      kept: false,
      taken: true,
    })),
  ])("[CMD-8] a close leaves the browser when it is stored or handed over: %o", async (step) => {
    const { taken, ...record } = step;
    for (const way of ["answer", "stream"]) {
      const browser = createBrowser();
      const page = browser.page();
      browser.cmd = async () => Response.json({ commandId: "mine-1", target: 2, until: null, ...record });
      if (way === "stream") browser.cmd = noAnswer;
      void page.close(closeOf("mine-1"), NAME);
      await settled();
      if (way === "stream") page.named({ id: "mine-1", ...record } as Parameters<typeof page.named>[0]);
      // What a relay with a store has named is stored, however far it came.
      const isGone = way === "stream" ? taken || !("kept" in record) : taken;
      expect([way, browser.stored()]).toEqual([way, isGone ? 0 : 1]);
    }
  });

  it("[NODE-3] a close-all is sent again under its id until a relay without its store has handed over each close", async () => {
    const browser = createBrowser();
    const outcome = browser.page().closeAll({ id: "7", name: "논산", valves: [] }, { at: NOW, withinMs: 5 });
    const answer = (states: readonly string[], more: object = {}) =>
      Response.json({
        jobId: "j",
        channels: states.map((state, index) => ({
          ...{ channelId: `${index}`, controllerId: "c1", number: index, commandId: `all-${index}`, state },
          ...{ reason: state === "unconfirmed" ? "no-answer" : null, activeMode: "none" },
        })),
        ...more,
      });
    for (const states of [["accepted", "failed"], ["unconfirmed"], ["refused", "accepted"]]) {
      browser.cmd = async () => answer(states, { kept: false });
      browser.tryAgain();
      await settled();
      expect(browser.stored()).toBe(1);
    }
    browser.cmd = async () => answer(["accepted", "accepted"], { kept: false });
    browser.tryAgain();
    expect(await outcome).toMatchObject({ kind: "taken" });
    expect(browser.keys().size).toBe(1);
    // A relay with its store repeats by itself.
    const kept = browser.page().closeAll({ id: "7", name: "논산", valves: [] }, { at: NOW, withinMs: 5 });
    browser.cmd = async () => answer(["failed"]);
    browser.tryAgain();
    expect(await kept).toMatchObject({ kind: "taken" });
  });

  it("[CMD-8] an end for an opening at the controller is the pressed one, however late it arrives", async () => {
    const browser = createBrowser();
    const outcome = browser.page().closeIn({ alarmId: "a1", minutes: 10, name: "1동" });
    const minutes: unknown[] = [];
    for (const later of [0, 150_000, 600_000, -3_600_000]) {
      await settled();
      minutes.push(browser.asked.at(-1)?.body);
      browser.now = NOW + later;
      browser.tryAgain();
    }
    await settled();
    minutes.push(browser.asked.at(-1)?.body);
    expect(minutes).toEqual([10, 10, 8, 1, 10].map((left) => ({ minutes: left })));
    expect(browser.asked[0]).toMatchObject({ path: "/relay/alarms/a1/close-in", forAccount: "me" });
    browser.cmd = async () => new Response(null, { status: 204 });
    browser.tryAgain();
    expect(await outcome).toMatchObject({ kind: "taken" });
  });

  it("[CMD-8] begins its pauses again at 1 s when the line is back", async () => {
    const browser = createBrowser();
    const page = browser.page();
    void page.close(closeOf("close-1"), NAME);
    for (let tries = 0; tries < 6; tries += 1) {
      await settled();
      browser.tryAgain();
    }
    await settled();
    expect(browser.timers.nextInMs).toBe(30_000);
    page.resume();
    await settled();
    expect(browser.timers.nextInMs).toBe(1_000);
  });

  it("[CMD-12] a clock that was set back does not make an opening of a closed page wait longer", async () => {
    const browser = createBrowser();
    void browser.page().open(COMMAND, () => undefined);
    browser.now -= 3_600_000;
    browser.timers.clear();
    browser.page().begin();
    expect(browser.timers.nextInMs).toBe(30_000);
  });

  it("[CMD-21] an administrator's close is stored, sent under one id, and its record reaches the dialog", async () => {
    const browser = createBrowser();
    const { controllerId } = VALVE;
    const order = { owner: "a1", ownerName: "kim", controllerId, channelId: "11", valve: "1동 1CH" };
    const pressed = { at: NOW, withinMs: 5 };
    const outcome = browser.page().closeInFleet({ ...order, reason: "연락 안 됨", pressed });
    await settled();
    expect(browser.asked[0]).toMatchObject({
      path: "/relay/fleet/close",
      forAccount: "me",
      body: {
        accountId: "a1",
        controllerId,
        channelId: "11",
        reason: "연락 안 됨",
        pressedAt: new Date(NOW).toISOString(),
      },
    });
    expect(browser.stored()).toBe(1);
    browser.cmd = async () => recordOf("accepted");
    browser.tryAgain();
    expect(await outcome).toMatchObject({ kind: "taken", record: { state: "accepted" } });
    expect([browser.keys().size, browser.stored()]).toEqual([1, 0]);
  });

  it("[CMD-21] an administrator's close ends with a note where it is refused for good", async () => {
    const browser = createBrowser();
    browser.cmd = async () => Response.json({ code: "forbidden" }, { status: 403 });
    const page = browser.page();
    const { controllerId } = VALVE;
    const order = { owner: "a1", ownerName: "kim", controllerId, channelId: "11", valve: "1동 1CH" };
    expect(await page.closeInFleet({ ...order, reason: "x", pressed: null })).toMatchObject({
      kind: "refused",
      reason: "forbidden",
    });
    expect(page.entries).toMatchObject([{ kind: "fleet-close", ended: "forbidden" }]);
  });

  it("[CMD-8] a mode switched off is stored, and dropped when a mode is put in charge later", async () => {
    const browser = createBrowser();
    const page = browser.page();
    const off = { ...VALVE, mode: "automatic", way: "charge" } as const;
    const outcome = page.modeOff(off, NAME);
    await settled();
    expect(browser.paths().at(-1)).toBe("/api/v1/controller/channel/11/mode");
    expect(browser.asked.at(-1)?.body).toEqual({ active: "none", insteadOf: "automatic" });
    page.modeOn("11");
    expect(await outcome).toEqual({ kind: "gone" });
    expect(browser.stored()).toBe(0);
  });

  it("[CMD-8] a reset that the farm API did not get is sent again under a new id", async () => {
    const browser = createBrowser();
    browser.cmd = async () => recordOf("unconfirmed", "no-answer");
    const outcome = browser.page().modeOff({ ...VALVE, mode: "period", way: "reset" }, NAME);
    await settled();
    browser.cmd = async () => recordOf("accepted");
    browser.tryAgain();
    expect(await outcome).toMatchObject({ kind: "taken" });
    expect(browser.keys().size).toBe(2);
  });
});
