import { describe, expect, test } from "vitest";
import {
  CHANNEL,
  CONTROLLER,
  createValveWorld,
  passedStates,
  type ValveWorld,
} from "../../testing/valves/valve-world.ts";
import { COMMANDS } from "./command-log.ts";
import { INTENTS } from "./intent.ts";

const BUNDLED = { reportsDetails: true, timesRuns: true };
const UNTIMED = { reportsDetails: true, timesRuns: false };
const PLAIN = { reportsDetails: false, timesRuns: false };

/** Return an answer while the time that it takes passes. */
async function answer(world: ValveWorld, outcome: ReturnType<ValveWorld["command"]>, ms = 100) {
  await world.pass(ms);
  return outcome;
}

describe("an opening", () => {
  test("[CMD-1] goes from requested over accepted to confirmed, and publishes every step", async () => {
    const world = await createValveWorld(BUNDLED);
    const outcome = await answer(world, world.command(1, { maxRunSeconds: 60 }));
    expect(outcome).toMatchObject({ ok: true, record: { state: "accepted", target: 1 } });
    await world.pass(1_000);
    expect(passedStates(world)).toEqual(["open requested", "open accepted", "open confirmed"]);
    expect(world.channel()).toMatchObject({ onoff: 1, command: null, endsBy: "device" });
  });

  test("[CMD-2] shows the old state while it is pending", async () => {
    const world = await createValveWorld(BUNDLED);
    world.farm.obeyMs = 5_000;
    await world.pass(100);
    await answer(world, world.command(1));
    expect(world.channel()).toMatchObject({
      onoff: 2,
      runUntil: null,
      command: { target: 1, state: "accepted" },
    });
  });

  test("[CMD-2] answers a repeated command with the pending one, and sends nothing", async () => {
    const world = await createValveWorld(BUNDLED);
    world.farm.obeyMs = 5_000;
    await answer(world, world.command(1, { commandId: "first" }));
    const second = await answer(world, world.command(1, { commandId: "second", maxRunSeconds: 90 }));
    expect(second).toMatchObject({ ok: true, record: { commandId: "first" } });
    expect(world.farm.sent).toHaveLength(1);
  });

  test("[CMD-1] is sent also for an open valve, and waits for the new end", async () => {
    const world = await createValveWorld(BUNDLED);
    await answer(world, world.command(1, { maxRunSeconds: 60 }), 1_000);
    world.farm.obeyMs = 20_000;
    await answer(world, world.command(1, { maxRunSeconds: 600 }), 12_000);
    expect(world.channel()).toMatchObject({ onoff: 1, command: { state: "accepted" } });
    await world.pass(9_000);
    expect(world.channel()).toMatchObject({ onoff: 1, command: null });
    expect(world.farm.sent).toHaveLength(2);
  });

  test("[CMD-3] is refused at once for a controller known to be offline, and sends nothing", async () => {
    const world = await createValveWorld(BUNDLED);
    world.writer.patch(`controller:${CONTROLLER}`, { quality: "offline" });
    const outcome = await answer(world, world.command(1));
    expect(outcome).toMatchObject({ ok: false, status: 409, code: "controller-offline" });
    expect(world.farm.sent).toEqual([]);
    expect(passedStates(world)).toEqual(["open refused"]);
  });

  test("[CMD-3] is refused for a controller with a lost connection, and allowed with unknown quality", async () => {
    const world = await createValveWorld(BUNDLED);
    world.writer.patch(`controller:${CONTROLLER}`, { link: "lost" });
    expect(await answer(world, world.command(1))).toMatchObject({ ok: false, status: 409 });
    world.writer.patch(`controller:${CONTROLLER}`, { link: "up", quality: "unknown" });
    expect(await answer(world, world.command(1))).toMatchObject({ ok: true });
  });

  test("[CMD-4] is tried three times within 15 s, then fails, and is never sent late", async () => {
    const world = await createValveWorld(BUNDLED);
    world.farm.mood = "down";
    const outcome = await answer(world, world.command(1), 20_000);
    expect(outcome).toMatchObject({ ok: true, record: { state: "requested" } });
    expect(world.writer.events.at(-1)).toMatchObject({ state: "failed", reason: "upstream-down" });
    world.farm.mood = "ok";
    await world.pass(120_000);
    expect(world.farm.sent).toHaveLength(3);
    expect(world.farm.open).toBe(false);
    expect(world.store.valueOf(INTENTS, CHANNEL)).toBeUndefined();
  });

  test.each([
    ["pressed more than 15 s ago", { ago: 15_001 }],
    ["whose sender has hung up", { ago: 500, callerGone: true } as const],
  ])("[CMD-11] %s is refused and logged, and nothing is sent", async (_, { ago, ...change }) => {
    const world = await createValveWorld(BUNDLED);
    const pressedAt = world.clock.now() - ago;
    const late = () => world.command(1, { commandId: "late", pressedAt, maxRunSeconds: 300, ...change });
    const outcome = await answer(world, late(), 60_000);
    expect(outcome).toMatchObject({ ok: false, status: 409, code: "command-expired" });
    expect(await answer(world, late())).toMatchObject({ ok: false, status: 409, code: "command-expired" });
    expect(world.farm.sent).toEqual([]);
    expect(passedStates(world)).toEqual(["open refused"]);
    const [logged] = (await world.service.commands({ from: 0 })) ?? [];
    expect(logged).toMatchObject({ id: "late", reason: "command-expired", by: { nickname: "Kim" } });
    expect(Date.parse(logged?.at ?? "")).toBe(pressedAt);
  });

  test("[RUN-2] ends by the time of its command after a delay, and expires 25 s after it", async () => {
    const world = await createValveWorld(BUNDLED);
    const pressedAt = world.clock.now() - 9_000;
    const outcome = await answer(world, world.command(1, { pressedAt, maxRunSeconds: 60 }), 10);
    expect(outcome).toMatchObject({ record: { until: new Date(pressedAt + 60_000).toISOString() } });
    expect(world.farm.sent).toMatchObject([{ maxRunSeconds: 51, expiresAt: pressedAt + 25_000 }]);
  });

  test("[CMD-11] is sent again only within 15 s of its command, however late it arrived", async () => {
    const world = await createValveWorld(BUNDLED);
    world.farm.mood = "down";
    const pressedAt = world.clock.now() - 11_000;
    await answer(world, world.command(1, { pressedAt }), 20_000);
    expect(world.farm.sent).toHaveLength(2);
    expect(world.writer.events.at(-1)).toMatchObject({ state: "failed", reason: "upstream-down" });
  });

  test("[CMD-11] is refused if commanded before a close that came first, and allowed if commanded after it", async () => {
    const world = await createValveWorld(BUNDLED);
    await answer(world, world.command(2), 5_000);
    const overtaken = world.command(1, { pressedAt: world.clock.now() - 6_000 });
    expect(await answer(world, overtaken)).toMatchObject({ ok: false, code: "command-expired" });
    const newer = world.command(1, { pressedAt: world.clock.now() - 4_000 });
    expect(await answer(world, newer)).toMatchObject({ ok: true, record: { state: "accepted" } });
  });

  test("[CMD-4] is sent with the remaining seconds and the time at which it expires", async () => {
    const world = await createValveWorld(BUNDLED);
    const pressedAt = world.clock.now();
    world.farm.mood = "down";
    const outcome = world.command(1, { maxRunSeconds: 60 });
    await world.pass(1_000);
    world.farm.mood = "ok";
    await answer(world, outcome, 5_000);
    expect(world.farm.sent.map(({ maxRunSeconds }) => maxRunSeconds)).toEqual([60, 57]);
    expect(world.farm.sent.map(({ expiresAt }) => expiresAt)).toEqual([
      pressedAt + 25_000,
      pressedAt + 25_000,
    ]);
  });

  test("[CMD-4] is not sent again after a lost answer once the valve shows it", async () => {
    const world = await createValveWorld(BUNDLED);
    world.farm.mood = "lost-done";
    const outcome = world.command(1, { maxRunSeconds: 60 });
    await world.pass(4_100);
    world.farm.mood = "ok";
    world.farm.dropping = false;
    await answer(world, outcome, 8_000);
    expect(world.farm.open).toBe(true);
    expect(passedStates(world).at(-1)).toBe("open confirmed");
  });

  test("[CMD-4] stays an intent after a failure: if the valve opened anyway, it is closed at its end", async () => {
    const world = await createValveWorld(UNTIMED);
    world.farm.mood = "lost-done";
    void world.command(1, { maxRunSeconds: 40 });
    await world.pass(5_000);
    world.farm.mood = "refuse";
    await world.pass(30_000);
    expect(world.farm.open).toBe(true);
    world.farm.mood = "ok";
    await world.pass(20_000);
    expect(world.farm.open).toBe(false);
  });

  test("[CMD-1] ends as refused with the farm API's reason", async () => {
    const world = await createValveWorld(BUNDLED);
    world.farm.mood = "refuse";
    expect(await answer(world, world.command(1))).toMatchObject({
      ok: true,
      record: { state: "refused", reason: "forbidden" },
    });
    expect(world.channel()).toMatchObject({ command: { state: "refused" } });
    await world.pass(61_000);
    expect(world.channel()).toMatchObject({ command: null });
  });

  test("[CMD-1] is confirmed by two equal reads of a plain API, as reported by the API", async () => {
    const world = await createValveWorld(PLAIN);
    await answer(world, world.command(1, { maxRunSeconds: 60 }), 2_500);
    expect(passedStates(world).at(-1)).toBe("open accepted");
    await world.pass(4_000);
    expect(world.writer.events.at(-1)).toMatchObject({
      kind: "command",
      state: "confirmed",
      reason: "reported-by-api",
    });
    expect(world.channel()).toMatchObject({ onoff: 1, endsBy: "relay" });
  });
});

describe("a close", () => {
  test("[CMD-4] is repeated while the controller is away, and sent at once when it reports again", async () => {
    const world = await createValveWorld(UNTIMED);
    await answer(world, world.command(1, { maxRunSeconds: 600 }), 1_000);
    world.farm.linked = false;
    await answer(world, world.command(2), 200_000);
    const sent = world.farm.sent.filter(({ payload }) => payload === 2).length;
    expect(sent).toBeGreaterThanOrEqual(6);
    expect(sent).toBeLessThanOrEqual(9);
    expect(world.channel()).toMatchObject({ onoff: 1, command: { target: 2, state: "unconfirmed" } });
    world.farm.linked = true;
    await world.pass(11_000);
    expect(world.farm.open).toBe(false);
    expect(world.channel()).toMatchObject({ onoff: 2, command: null });
    expect(world.store.valueOf(INTENTS, CHANNEL)).toBeUndefined();
  });

  test("[CMD-5] becomes unconfirmed after 60 s, and confirmed when the state arrives", async () => {
    const world = await createValveWorld(UNTIMED);
    await answer(world, world.command(1), 1_000);
    world.farm.obeyMs = 70_000;
    await answer(world, world.command(2), 61_000);
    expect(world.channel()).toMatchObject({ onoff: 1, command: { target: 2, state: "unconfirmed" } });
    await world.pass(10_000);
    expect(passedStates(world).slice(-2)).toEqual(["close unconfirmed", "close confirmed"]);
    expect(world.channel()).toMatchObject({ onoff: 2, command: null });
  });

  test("[CMD-3] is accepted for an offline controller", async () => {
    const world = await createValveWorld(BUNDLED);
    world.writer.patch(`controller:${CONTROLLER}`, { quality: "offline", link: "lost" });
    expect(await answer(world, world.command(2))).toMatchObject({ ok: true, record: { state: "accepted" } });
  });

  test("[CMD-0] replaces a pending opening, which ends as superseded and is closed if it comes late", async () => {
    const world = await createValveWorld(UNTIMED);
    world.farm.mood = "lost-done";
    void world.command(1);
    await world.pass(500);
    world.farm.mood = "ok";
    await answer(world, world.command(2), 2_000);
    expect(passedStates(world)).toContain("open superseded");
    expect(passedStates(world).at(-1)).toBe("close confirmed");
    await world.pass(10_000);
    expect(world.farm.sent.filter(({ payload }) => payload === 1)).toHaveLength(1);
    expect(world.farm.open).toBe(false);
  });

  test("[CMD-0] an opening that waits for its answer is no longer wanted once it is replaced, or too late", async () => {
    const opening = async () => {
      const world = await createValveWorld(UNTIMED);
      world.farm.mood = "lost-done";
      void world.command(1);
      await world.pass(500);
      const sent = world.farm.sent.find(({ payload }) => payload === 1);
      return { world, isWanted: () => sent?.isWanted?.() };
    };
    const one = await opening();
    expect(one.isWanted()).toBe(true);
    one.world.farm.mood = "ok";
    void one.world.command(2);
    await one.world.pass(10);
    expect(one.isWanted()).toBe(false);
    const other = await opening();
    await other.world.pass(15_000);
    expect(other.isWanted()).toBe(false);
  });

  test("[CMD-4] uses the relay's own credential when the person's is rejected", async () => {
    const world = await createValveWorld(BUNDLED);
    world.farm.mood = "refuse";
    await answer(world, world.command(2), 3_000);
    expect(world.farm.sent.map(({ token }) => token)).toEqual(["token-of-kim", undefined]);
  });

  test("[NODE-4] works with a full disk, while an opening is refused", async () => {
    const world = await createValveWorld(UNTIMED);
    await answer(world, world.command(1), 1_000);
    world.store.failing = true;
    expect(await answer(world, world.command(1))).toMatchObject({
      ok: false,
      status: 503,
      code: "store-down",
    });
    expect(await answer(world, world.command(2), 1_000)).toMatchObject({ ok: true });
    expect(world.farm.open).toBe(false);
    world.store.failing = false;
    await world.pass(6_000);
    expect(world.store.valueOf(INTENTS, CHANNEL)).toBeUndefined();
  });
});

describe("the end of a run", () => {
  test("[RUN-1] is 10 min after the opening by default", async () => {
    const world = await createValveWorld(UNTIMED);
    await answer(world, world.command(1), 599_000);
    expect(world.farm.open).toBe(true);
    await world.pass(2_000);
    expect(world.farm.open).toBe(false);
  });

  test("[RUN-1] is at most 120 min after the opening", async () => {
    const world = await createValveWorld(BUNDLED);
    const outcome = await answer(world, world.command(1, { maxRunSeconds: 7_201 }));
    expect(outcome).toMatchObject({ ok: false, status: 422, code: "run-too-long" });
    expect(world.farm.sent).toEqual([]);
  });

  test.each([
    [4_000, [{ maxRunSeconds: 596 }]],
    [20_000, []],
  ])(
    "[CMD-4] sends the remaining seconds or nothing when the disk takes %i ms to write the end",
    async (ms, sent) => {
      const world = await createValveWorld(BUNDLED);
      const { store } = world;
      let kept = (): void => undefined;
      const until = new Promise<void>((done) => {
        kept = done;
      });
      // The command is stored at once in two writes. The write before the opening leaves is the one that
      // waits.
      Object.defineProperty(store, "until", { get: () => (store.steps.length < 2 ? undefined : until) });
      void world.command(1, { maxRunSeconds: 600 });
      await world.pass(ms);
      expect(world.farm.sent).toEqual([]);
      kept();
      await world.pass(1_000);
      expect(world.farm.sent).toMatchObject(sent);
      expect(world.farm.sent).toHaveLength(sent.length);
    },
  );

  test("[CMD-9] logs an opening refused for its length, and refuses its id again in the same way", async () => {
    const world = await createValveWorld(BUNDLED);
    const press = () => world.command(1, { commandId: "too-long", maxRunSeconds: 7_201 });
    const first = await answer(world, press());
    expect(world.writer.events.at(-1)).toMatchObject({ state: "refused", reason: "run-too-long" });
    expect(await answer(world, press())).toEqual(first);
    expect(world.writer.events).toHaveLength(1);
  });

  test("[CRED-1] is before the end of the session when the relay has no other way to close", async () => {
    const world = await createValveWorld(PLAIN);
    const tokenEndsAt = world.clock.now() + 60_000;
    const outcome = await answer(world, world.command(1, { maxRunSeconds: 120, tokenEndsAt }));
    expect(outcome).toMatchObject({ ok: false, status: 422, code: "run-outlives-session" });
  });

  test("[RUN-2] is the device's where it times itself, and the relay sends nothing", async () => {
    const world = await createValveWorld(BUNDLED);
    await answer(world, world.command(1, { maxRunSeconds: 60 }), 95_000);
    expect(world.farm.sent).toHaveLength(1);
    expect(world.channel()).toMatchObject({ onoff: 2, runUntil: null, endsBy: null });
    expect(world.store.valueOf(INTENTS, CHANNEL)).toBeUndefined();
  });

  test("[RUN-2] is the relay's where only the relay can end it, and is marked so", async () => {
    const world = await createValveWorld(UNTIMED);
    const pressedAt = world.clock.now();
    await answer(world, world.command(1, { maxRunSeconds: 60 }), 2_000);
    expect(world.channel()).toMatchObject({
      endsBy: "relay",
      runUntil: new Date(pressedAt + 60_000).toISOString(),
    });
    await world.pass(59_000);
    expect(passedStates(world).slice(-3)).toEqual(["close requested", "close accepted", "close confirmed"]);
    expect(world.farm.sent.at(-1)).not.toHaveProperty("token");
    expect(world.farm.open).toBe(false);
  });

  test("[RUN-2] moves when the run is extended", async () => {
    const world = await createValveWorld(UNTIMED);
    await answer(world, world.command(1, { maxRunSeconds: 60 }), 30_000);
    await answer(world, world.command(1, { maxRunSeconds: 60 }), 45_000);
    expect(world.farm.open).toBe(true);
    await world.pass(20_000);
    expect(world.farm.open).toBe(false);
  });

  test("[RUN-2] stays that of the run before when an extension is refused", async () => {
    const world = await createValveWorld(UNTIMED);
    await answer(world, world.command(1, { maxRunSeconds: 60 }), 30_000);
    world.farm.mood = "refuse";
    await answer(world, world.command(1, { maxRunSeconds: 600 }), 5_000);
    world.farm.mood = "ok";
    await world.pass(30_000);
    expect(world.farm.open).toBe(false);
  });

  test("[RUN-3] is enforced by a relay that was killed while the valve was open", async () => {
    const world = await createValveWorld(UNTIMED);
    await answer(world, world.command(1, { maxRunSeconds: 60 }), 20_000);
    world.kill();
    await world.pass(100_000);
    expect(world.farm.open).toBe(true);
    await world.start();
    await world.pass(5_000);
    expect(world.farm.open).toBe(false);
  });

  test("[RUN-3] is stored before anything is sent", async () => {
    const world = await createValveWorld(BUNDLED);
    const stored: unknown[] = [];
    world.farm.onSend = () => stored.push(world.store.valueOf(INTENTS, CHANNEL));
    await answer(world, world.command(1));
    expect(stored).toMatchObject([{ want: "open", sends: 1 }]);
  });

  test.each([-3_600_000, 3_600_000])("[RUN-4] does not move when the clock is set by %i ms", async (ms) => {
    const world = await createValveWorld(UNTIMED);
    await answer(world, world.command(1, { maxRunSeconds: 120 }), 20_000);
    world.clock.jump(ms);
    await world.pass(95_000);
    expect(world.farm.open).toBe(true);
    await world.pass(10_000);
    expect(world.farm.open).toBe(false);
  });
});

describe("a command's id", () => {
  test("[CMD-7] answers a repeated id with its outcome, and carries nothing out", async () => {
    const world = await createValveWorld(BUNDLED);
    await answer(world, world.command(1, { commandId: "same" }), 1_000);
    const again = await answer(world, world.command(1, { commandId: "same" }));
    expect(again).toMatchObject({ ok: true, record: { commandId: "same", state: "confirmed" } });
    expect(world.farm.sent).toHaveLength(1);
  });

  test("[CMD-7] remembers an id across a restart, for 24 h", async () => {
    const world = await createValveWorld(BUNDLED);
    await answer(world, world.command(2, { commandId: "same" }), 1_000);
    world.kill();
    await world.start();
    expect(await answer(world, world.command(2, { commandId: "same" }))).toMatchObject({
      record: { state: "confirmed" },
    });
    expect(world.farm.sent).toHaveLength(1);
    world.clock.advance(24 * 3_600_000);
    await answer(world, world.command(2, { commandId: "same" }));
    expect(world.farm.sent).toHaveLength(2);
  });

  test("[CMD-7] answers conflict for an id with other content", async () => {
    const world = await createValveWorld(BUNDLED);
    await answer(world, world.command(1, { commandId: "same" }), 1_000);
    expect(await answer(world, world.command(2, { commandId: "same" }))).toMatchObject({
      ok: false,
      status: 409,
      code: "command-conflict",
    });
  });

  test("[CMD-7] treats the same id twice at the same moment as one command", async () => {
    const world = await createValveWorld(BUNDLED);
    const both = [world.command(1, { commandId: "same" }), world.command(1, { commandId: "same" })];
    await world.pass(1_000);
    expect(await Promise.all(both)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(world.farm.sent).toHaveLength(1);
  });

  test("[CMD-7] answers within 5 s, however slow the farm API is", async () => {
    const world = await createValveWorld(BUNDLED);
    world.farm.mood = "lost-undone";
    const outcome = await answer(world, world.command(1), 4_600);
    expect(outcome).toMatchObject({ ok: true, record: { state: "requested" } });
  });

  test("[CMD-9] logs the person, the origin and the time of each state", async () => {
    const world = await createValveWorld(BUNDLED);
    await answer(world, world.command(1, { commandId: "logged", origin: "screen" }), 1_000);
    expect(world.store.valueOf(COMMANDS, "logged")).toMatchObject({
      by: { nickname: "Kim" },
      origin: "screen",
      traceId: "trace",
      steps: [{ state: "requested" }, { state: "accepted" }, { state: "confirmed" }],
    });
  });
});

describe("other commands", () => {
  test("[CMD-16] are refused and logged 15 s after their command, unless they clear a mode", async () => {
    const world = await createValveWorld(BUNDLED);
    const pressedAt = world.clock.now() - 15_001;
    const change = { payload: 20, target: null, pressedAt } as const;
    const late = world.command(1, { ...change, commandId: "late", command: "automatic/low" });
    expect(await answer(world, late)).toMatchObject({ ok: false, status: 409, code: "command-expired" });
    expect(world.farm.sent).toEqual([]);
    const reset = world.command(1, { ...change, commandId: "reset", command: "automatic/reset" });
    expect(await answer(world, reset)).toMatchObject({ ok: true });
  });

  test("[CMD-9] are forwarded unchanged, logged and published", async () => {
    const world = await createValveWorld(BUNDLED);
    const reset = { command: "automatic/reset", payload: 1, target: null } as const;
    const outcome = await answer(world, world.command(1, { ...reset, commandId: "reset" }));
    expect(outcome).toMatchObject({ ok: true, record: { state: "accepted", target: null } });
    expect(world.farm.sent).toMatchObject([
      { command: "automatic/reset", payload: 1, token: "token-of-kim" },
    ]);
    expect(world.writer.events.map((event) => event.kind)).toEqual(["command", "command"]);
    expect(world.channel()).toMatchObject({ command: null });
  });

  test("[command] answer 404 for a controller or channel that the account does not have", async () => {
    const world = await createValveWorld(BUNDLED);
    expect(await answer(world, world.command(1, { number: 2 }))).toMatchObject({ ok: false, status: 404 });
    expect(await answer(world, world.command(1, { controllerId: "other" }))).toMatchObject({ status: 404 });
    expect(world.farm.sent).toEqual([]);
  });
});

describe("a channel that is deleted", () => {
  /** Remove the channel from the account's lists and from the farm API. */
  const remove = (world: ValveWorld): void => {
    world.farm.mood = "gone";
    world.farm.linked = false;
    world.writer.del(CHANNEL);
    world.service.gone(CHANNEL);
  };

  test("[CMD-13] ends its intent, without a failure at the end of its run", async () => {
    const world = await createValveWorld(UNTIMED);
    await answer(world, world.command(1, { maxRunSeconds: 120 }), 2_000);
    remove(world);
    await world.pass(15 * 60_000);
    expect(passedStates(world).slice(3)).toEqual(["close requested", "close superseded"]);
    expect(world.store.valueOf(INTENTS, CHANNEL)).toBeUndefined();
    expect(world.service.busy).toBe(false);
  });

  test("[CMD-13] leaves no command unconfirmed", async () => {
    const world = await createValveWorld(BUNDLED);
    world.farm.dropping = true;
    await answer(world, world.command(1, { maxRunSeconds: 120 }), 2_000);
    remove(world);
    await world.pass(10 * 60_000);
    expect(passedStates(world)).toEqual(["open requested", "open accepted", "open superseded"]);
    expect(world.store.valueOf(INTENTS, CHANNEL)).toBeUndefined();
  });

  test("[CMD-13] is watched as before when it returns to the lists", async () => {
    const world = await createValveWorld(UNTIMED);
    await answer(world, world.command(1, { maxRunSeconds: 60 }), 2_000);
    const channel = world.channel();
    world.writer.del(CHANNEL);
    world.service.gone(CHANNEL);
    await world.pass(5_000);
    world.writer.set(CHANNEL, channel);
    await world.pass(120_000);
    expect(world.farm.open).toBe(false);
    expect(passedStates(world).at(-1)).toBe("close confirmed");
  });
});

describe("a withdrawn opening", () => {
  const RUN = { commandId: "given-up", maxRunSeconds: 300 };

  test("[CMD-12] is refused if it arrives after the withdrawal, also across a restart, with the reason", async () => {
    const world = await createValveWorld(BUNDLED);
    const taken = await answer(world, world.withdraw("given-up", RUN));
    expect(taken).toMatchObject({
      ok: true,
      record: { commandId: "given-up", state: "refused", reason: "command-withdrawn" },
    });
    expect(await answer(world, world.command(1, RUN))).toMatchObject({
      status: 409,
      code: "command-withdrawn",
    });
    world.kill();
    await world.start();
    expect(await answer(world, world.command(1, RUN))).toMatchObject({
      status: 409,
      code: "command-withdrawn",
    });
    expect(world.farm.sent).toEqual([]);
  });

  test("[CMD-12] is closed once if it was carried out, however often it is withdrawn", async () => {
    const world = await createValveWorld(BUNDLED);
    await answer(world, world.command(1, RUN), 1_000);
    expect(world.farm.open).toBe(true);
    expect(await answer(world, world.withdraw("given-up", RUN), 1_000)).toMatchObject({
      ok: true,
      record: { commandId: "given-up", state: "superseded" },
    });
    expect(world.farm.open).toBe(false);
    await answer(world, world.withdraw("given-up", RUN), 1_000);
    expect(world.farm.sent.map(({ payload }) => payload)).toEqual([1, 2]);
  });

  test("[CMD-18] marks the watering that it ended, and no watering closed by hand", async () => {
    const world = await createValveWorld(BUNDLED);
    const waterings = () =>
      [...world.writer.keys()]
        .filter((key) => key.startsWith("watering:"))
        .map((key) => world.writer.get(key));
    await answer(world, world.command(1, RUN), 20_000);
    await answer(world, world.withdraw("given-up", RUN), 1_000);
    expect(waterings()).toMatchObject([{ endReason: "closed", withdrawn: true }]);
    await answer(world, world.command(1, { maxRunSeconds: 300 }), 20_000);
    await answer(world, world.command(2), 1_000);
    expect(waterings().filter((each) => each?.withdrawn === undefined)).toMatchObject([
      { endReason: "closed" },
    ]);
  });

  test("[CMD-12] leaves the valve open for a newer command", async () => {
    const world = await createValveWorld(BUNDLED);
    await answer(world, world.command(1, RUN), 1_000);
    await answer(world, world.command(1, { commandId: "of-another", maxRunSeconds: 600 }), 1_000);
    await answer(world, world.withdraw("given-up", RUN), 1_000);
    expect(world.farm.open).toBe(true);
    expect(world.farm.sent.map(({ payload }) => payload)).toEqual([1, 1]);
  });

  test("[CMD-12] is refused while the opening is still being looked up", async () => {
    const world = await createValveWorld(BUNDLED);
    const opening = world.command(1, RUN);
    const taken = world.withdraw("given-up", RUN);
    await world.pass(1_000);
    expect(await opening).toMatchObject({ ok: false, code: "command-withdrawn" });
    expect(await taken).toMatchObject({ ok: true, record: { state: "refused" } });
    expect(world.farm.sent).toEqual([]);
  });

  test("[CMD-12] can be withdrawn again when the store failed, and does not open meanwhile", async () => {
    const world = await createValveWorld(BUNDLED);
    world.store.failing = true;
    expect(await answer(world, world.withdraw("given-up", RUN))).toMatchObject({ ok: false, status: 503 });
    world.store.failing = false;
    expect(await answer(world, world.command(1, RUN))).toMatchObject({
      ok: false,
      code: "command-withdrawn",
    });
    expect(world.farm.sent).toEqual([]);
  });
});

describe("a watering", () => {
  const waterings = (world: ValveWorld) =>
    [...world.writer.keys()].filter((key) => key.startsWith("watering:")).map((key) => world.writer.get(key));

  test("[WAT-1] of ours begins with the person, and ends as done where the device closes", async () => {
    const world = await createValveWorld(BUNDLED);
    await world.pass(100);
    await answer(world, world.command(1, { maxRunSeconds: 60 }), 1_000);
    expect(waterings(world)).toMatchObject([
      { cause: "person", by: { nickname: "Kim" }, end: null, moistureBefore: 30 },
    ]);
    await world.pass(70_000);
    expect(waterings(world)).toMatchObject([{ endReason: "done" }]);
    world.writer.patch(CHANNEL, { moisture: 41 });
    await world.pass(30 * 60_000);
    expect(waterings(world)).toMatchObject([{ moistureAfter: 41 }]);
    expect(world.writer.events.filter(({ kind }) => kind === "watering")).toHaveLength(2);
    await world.pass(24 * 3_600_000);
    expect(waterings(world)).toEqual([]);
  });

  test("[WAT-1] ends as deadline where the relay closed it, and as closed where a person did", async () => {
    const world = await createValveWorld(UNTIMED);
    await answer(world, world.command(1, { maxRunSeconds: 30 }), 40_000);
    await answer(world, world.command(1, { maxRunSeconds: 60 }), 5_000);
    await answer(world, world.command(2), 1_000);
    expect(waterings(world)).toMatchObject([{ endReason: "deadline" }, { endReason: "closed" }]);
  });

  test("[WAT-1] ends at its planned end after a lost connection, and records when that was confirmed", async () => {
    const world = await createValveWorld(BUNDLED);
    const pressedAt = world.clock.now();
    await answer(world, world.command(1, { maxRunSeconds: 300 }), 120_000);
    const plannedEnd = new Date(pressedAt + 300_000).toISOString();
    const near = (instant: unknown) => Math.abs(Date.parse(String(instant)) - Date.parse(plannedEnd));
    expect(near(waterings(world)[0]?.plannedEnd)).toBeLessThan(2_000);
    world.farm.linked = false;
    await world.pass(300_000);
    world.farm.linked = true;
    await world.pass(60_000);
    const [watering] = waterings(world);
    expect(watering).toMatchObject({ endReason: "done" });
    expect(watering).not.toHaveProperty("plannedEnd");
    expect(near(watering?.end)).toBeLessThan(2_000);
    expect(Date.parse(String(watering?.confirmedAt))).toBeGreaterThan(pressedAt + 419_000);
  });

  test("[CMD-9] is closed by the relay at its end, not by the person", async () => {
    const world = await createValveWorld(UNTIMED);
    await answer(world, world.command(1, { maxRunSeconds: 30 }), 60_000);
    const [close] = (await world.service.commands({ from: 0 })) ?? [];
    expect(close).toMatchObject({ target: 2, origin: "relay", by: { id: "relay" }, state: "confirmed" });
  });

  test("[CMD-6] is attributed to a mode or to an external opening, and the relay closes neither", async () => {
    const world = await createValveWorld(UNTIMED);
    world.farm.turn(true, "mode");
    await world.pass(1_000);
    world.farm.turn(false, "mode");
    await world.pass(1_000);
    world.farm.turn(true, "hand");
    await world.pass(3_600_000);
    expect(waterings(world)).toMatchObject([
      { cause: "automatic", endReason: "done" },
      { cause: "external" },
    ]);
    expect(world.farm.sent).toEqual([]);
  });

  test("[WAT-1] continues across a restart", async () => {
    const world = await createValveWorld(BUNDLED);
    await answer(world, world.command(1, { maxRunSeconds: 60 }), 10_000);
    const [before] = waterings(world);
    world.kill();
    await world.start();
    await world.pass(60_000);
    expect(waterings(world)).toMatchObject([{ id: before?.id, endReason: "done" }]);
  });
});
