import type { CommandTimeBody } from "@mulkko/shared/rest/command";
import type { Random } from "@mulkko/shared/rules/clock";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers } from "@mulkko/shared/testing/fake-timers";
import { seededRandom } from "@mulkko/shared/testing/random";
import { expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { createRestClient } from "../../api/client.ts";
import { createFakeStorage } from "../../testing/fake-storage.ts";
import { Outbox } from "./outbox.ts";
import type { OutboxEntry } from "./outbox-entry.ts";

/** Seed of the histories and their number; a failure names the seed of its history. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_128);
const RUNS = Number(process.env.FUZZ_RUNS ?? 150);

/** Distance of two presses, ms: within 3 s a close is carried out whatever came first (CMD-17). */
const PRESS_GAP_MS = 4_000;
const OPEN_WINDOW_MS = 15_000;
const VALVES = [1, 2, 3];
const ACCOUNTS = ["me", "another"];

interface Valve {
  open: boolean;
  /** Press of the opening in charge, and of the newest close. */
  openedAt: number;
  closedAt: number;
}

/** The relay's rules for ids, presses and accounts (CMD-7, CMD-11, CMD-12, CMD-17). */
function createRelay(now: () => number) {
  const valves = new Map(
    VALVES.map((number) => [number, { open: false, openedAt: 0, closedAt: 0 } as Valve]),
  );
  const known = new Map<string, string>();
  const executed: { id: string; account: string; pressedAt: number; number: number; target: 1 | 2 }[] = [];
  let mode = true;
  const act = (id: string, account: string, number: number, target: 1 | 2, pressedAt: number): string => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const valve = valves.get(number);
    if (!valve) return "refused";
    const late = target === 1 && (now() - pressedAt > OPEN_WINDOW_MS || pressedAt < valve.closedAt);
    const overtaken = target === 2 && valve.open && now() - pressedAt > 3_000 && pressedAt < valve.openedAt;
    const state = late ? "refused" : overtaken ? "superseded" : "accepted";
    known.set(id, state);
    if (state !== "accepted") return state;
    executed.push({ id, account, pressedAt, number, target });
    valve.open = target === 1;
    if (target === 1) valve.openedAt = pressedAt;
    else valve.closedAt = Math.max(valve.closedAt, pressedAt);
    return state;
  };
  return {
    valves,
    executed,
    mode: () => mode,
    setMode: (on: boolean) => {
      mode = on;
    },
    receive(path: string, headers: Headers, body: CommandTimeBody | null, account: string): Response {
      const wanted = headers.get("x-for-account");
      if (wanted !== null && wanted !== account) {
        return Response.json({ code: "other-account" }, { status: 409 });
      }
      const record = (state: string) => Response.json({ commandId: "c", state, target: 2, until: null });
      if (path.endsWith("/mode")) {
        mode = false;
        return Response.json(null);
      }
      if (path.endsWith("/close-all")) {
        const pressedAt = Date.parse(headers.get("x-pressed-at") ?? "");
        for (const number of VALVES) {
          act(`${headers.get("idempotency-key")} ${number}`, account, number, 2, pressedAt);
        }
        return Response.json({ jobId: "j", channels: [] });
      }
      const number = Number(body?.channel);
      const pressedAt = Date.parse(body?.pressedAt ?? "");
      if (path.endsWith("/withdraw")) {
        const id = path.split("/")[3] ?? "";
        const valve = valves.get(number);
        if (!known.has(id)) known.set(id, "refused");
        else if (valve?.open && valve.openedAt === pressedAt) valve.open = false;
        return record(known.get(id) ?? "refused");
      }
      const target = body?.payload === 1 ? 1 : 2;
      const state = act(headers.get("idempotency-key") ?? "", account, number, target, pressedAt);
      return state === "refused"
        ? Response.json({ code: "command-expired" }, { status: 409 })
        : record(state);
    },
  };
}

type Line = "good" | "lost" | "held-up" | "held-down" | "late";
const LINES: readonly Line[] = ["good", "lost", "held-up", "held-down", "late"];

/** One phone with its storage, its line to the relay, and one page after another. */
function createPhone(random: Random, timers: FakeTimers, now: () => number) {
  const relay = createRelay(now);
  const memory = createFakeStorage();
  const phone = { line: "good" as Line, signedIn: "me", relay, memory };
  const wait = (ms: number) => new Promise<void>((resolve) => timers.after(ms, resolve));
  const openPage = () => {
    const account = phone.signedIn;
    let closed = false;
    const rest = createRestClient(
      { accessToken: () => "token", refresh: async () => null },
      async (path, { headers, body, signal }) => {
        if (closed) return new Promise(() => undefined);
        const { line, signedIn } = phone;
        const gone = new Promise<never>((_, reject) =>
          signal?.addEventListener("abort", () => reject(new TypeError("aborted"))),
        );
        gone.catch(() => undefined);
        const fail = async (): Promise<Response> => {
          await Promise.race([wait(10_000), gone]);
          throw new TypeError("no answer");
        };
        if (line === "lost") throw new TypeError("no network");
        if (line === "held-up") return fail();
        if (line === "late" && !path.endsWith("/mode")) await wait(random() * 20_000);
        const answer = relay.receive(
          path,
          new Headers(headers),
          body == null ? null : JSON.parse(String(body)),
          signedIn,
        );
        return line === "held-down" || closed ? fail() : answer;
      },
    );
    const outbox = new Outbox({
      rest,
      accountId: account,
      signedIn: () => (closed ? null : phone.signedIn),
      memory,
      store: createStore<readonly OutboxEntry[]>(() => []),
      now,
      timers,
    });
    outbox.resume();
    return {
      account,
      outbox,
      close: () => {
        closed = true;
      },
    };
  };
  return Object.assign(phone, { openPage });
}

async function playHistory(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const phone = createPhone(random, timers, clock.now);
  let page = phone.openPage();
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] ?? (from[0] as T);
  let count = 0;
  /** The account's newest press on each valve, and on the mode. */
  const last = new Map<number, { target: 1 | 2; at: number }>();
  let modeOff: boolean | null = null;
  const pressedIn = new Map<string, string>();

  for (let step = 0; step < 25; step += 1) {
    await timers.pass(PRESS_GAP_MS + random() * 20_000);
    const number = pick(VALVES);
    count += 1;
    const commandId = `${seed}-${count}`;
    const pressed = { at: clock.now(), withinMs: 0 };
    const valve = { form: "controller", controllerId: "c", number } as const;
    const name = { channelId: "11", name: null };
    pressedIn.set(commandId, page.account);
    const isMine = page.account === "me";
    switch (
      pick(["close", "close", "open", "all", "off", "on", "reload", "line", "line", "sign-in"] as const)
    ) {
      case "close":
        void page.outbox.close({ ...valve, commandId, pressed }, name);
        if (isMine) last.set(number, { target: 2, at: pressed.at });
        break;
      case "open":
        void page.outbox.open({ ...valve, commandId, pressed, target: 1, runSeconds: 60 }, () => undefined);
        if (isMine) last.set(number, { target: 1, at: pressed.at });
        break;
      case "all":
        void page.outbox.closeAll({ id: null, name: null, valves: [] }, pressed);
        if (isMine) for (const each of VALVES) last.set(each, { target: 2, at: pressed.at });
        break;
      case "off":
        void page.outbox.modeOff({ ...valve, mode: "automatic", way: "charge" }, name);
        if (isMine) modeOff = true;
        break;
      case "on":
        page.outbox.modeOn("11");
        if (!isMine) break;
        phone.relay.setMode(true);
        modeOff = false;
        break;
      case "line":
        phone.line = pick(LINES);
        if (phone.line === "good") page.outbox.resume();
        break;
      case "sign-in":
        phone.signedIn = pick(ACCOUNTS);
        page.close();
        page = phone.openPage();
        break;
      case "reload":
        page.close();
        page = phone.openPage();
        break;
    }
  }
  phone.line = "good";
  phone.signedIn = "me";
  page.close();
  page = phone.openPage();
  await timers.pass(180_000);
  // As the browser's storage event does after a write of another page.
  page.outbox.refresh();

  const which = `seed ${seed}`;
  expect(page.outbox.entries, which).toEqual([]);
  const { executed, valves } = phone.relay;
  expect(new Set(executed.map(({ id }) => id)).size, which).toBe(executed.length);
  for (const { id, account } of executed) {
    const owner = pressedIn.get(id);
    if (owner !== undefined) expect(account, which).toBe(owner);
  }
  // The other account's presses reach the same valves: only the signed-in user's own are compared below.
  const others = executed.some(({ account }) => account !== "me");
  for (const [number, { target, at }] of last) {
    if (others) continue;
    if (target === 2) expect(valves.get(number)?.open, which).toBe(false);
    const opened = executed.findIndex(
      (each) => each.number === number && each.target === 1 && each.pressedAt === at,
    );
    const later = opened < 0 ? [] : executed.slice(opened + 1);
    expect(
      later.filter((each) => each.number === number && each.target === 2 && each.pressedAt < at),
      which,
    ).toEqual([]);
  }
  if (modeOff === true) expect(phone.relay.mode(), which).toBe(false);
}

it(`[CMD-8] keeps the user's last word in ${RUNS} generated histories of presses, lines, pages and accounts`, async () => {
  for (let run = 0; run < RUNS; run += 1) await playHistory(SEED + run);
}, 120_000);
