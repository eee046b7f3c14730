import type { CommandRecord } from "@mulkko/shared/rest/command";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { describe, expect, it } from "vitest";
import { createRestClient } from "../../api/client.ts";
import type { ValveCommand } from "../../api/commands.ts";
import { createOpenings } from "./openings.ts";

const NOW = Date.parse("2026-11-22T06:00:00Z");
const COMMAND: ValveCommand = {
  commandId: "mine-1",
  form: "controller",
  controllerId: "c1",
  number: 1,
  target: 1,
  runSeconds: 300,
  pressed: { at: NOW, withinMs: 5 },
};

const recordOf = (state: CommandRecord["state"], reason?: string): Response =>
  Response.json({ commandId: "mine-1", state, target: 1, until: null, ...(reason ? { reason } : {}) });
const noAnswer = (): Promise<Response> => Promise.reject(new TypeError("failed to fetch"));
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Simulate a browser whose network is controlled by the test, with several pages one after another. */
function createBrowser() {
  const stored = new Map<string, string>();
  const asked: { path: string; body: unknown }[] = [];
  const timers = createFakeTimers(createFakeClock());
  const unsure: string[] = [];
  const browser = {
    asked,
    /** Run the next attempt to revoke. */
    tryAgain: () => timers.advance(timers.nextInMs ?? 0),
    timers,
    unsure,
    stored: () => stored.size,
    now: NOW,
    cmd: noAnswer as () => Promise<Response>,
    withdraw: noAnswer as () => Promise<Response>,
    page(accountId = "me") {
      const rest = createRestClient(
        { accessToken: () => "token", refresh: async () => null },
        async (path, { body }) => {
          asked.push({ path, body: JSON.parse(String(body)) });
          return path.endsWith("/withdraw") ? browser.withdraw() : browser.cmd();
        },
      );
      return createOpenings({
        rest,
        accountId,
        memory: {
          getItem: (key) => stored.get(key) ?? null,
          setItem: (key, value) => void stored.set(key, value),
          removeItem: (key) => void stored.delete(key),
        },
        now: () => browser.now,
        timers,
      });
    },
    paths: () => asked.map(({ path }) => path),
  };
  return browser;
}

describe("unanswered openings", () => {
  it("[CMD-12] are revoked under their own command id until the relay answers", async () => {
    const browser = createBrowser();
    const outcome = browser.page().open(COMMAND, (reason) => browser.unsure.push(reason));
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
    expect(await browser.page().open(COMMAND, () => undefined)).toEqual({ kind: "taken" });
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
    const page = browser.page();
    browser.cmd = () => {
      page.named("mine-1");
      return noAnswer();
    };
    expect(await page.open(COMMAND, (reason) => browser.unsure.push(reason))).toEqual({ kind: "taken" });
    expect(browser.unsure).toEqual([]);
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
    const next = browser.page();
    // Events before the page gave up do not count: the user has read that the opening is revoked.
    next.named("mine-1");
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
    browser.now += 24 * 3_600_000;
    browser.page().resume();
    expect(browser.stored()).toBe(0);
  });
});
