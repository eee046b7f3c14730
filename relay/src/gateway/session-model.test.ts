import { Subscribe } from "@mulkko/shared/live/client-messages";
import { LIVE_LIMITS } from "@mulkko/shared/live/limits";
import type { ServerMessage } from "@mulkko/shared/live/server-messages";
import { parse } from "@mulkko/shared/schema/parse";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzing } from "../../testing/fuzz.ts";
import { anyMessageWith, FOREIGN_KEYS, MY_KEYS, TOKENS } from "../../testing/gateway/any-frame.ts";
import { createSessionHarness, sentMessage } from "../../testing/gateway/session-harness.ts";
import { createSessionModel, type Expected } from "../../testing/gateway/session-model.ts";

const RUNS = 1_000;
const A_DAY_MS = 24 * 3_600_000;
/** A token lifetime that ends within a scenario. */
const SHORT_MS = 40_000;
const SECRET = "not of a user";

type Action =
  | { readonly do: "say"; readonly message: unknown }
  | { readonly do: "garbage" | "ping" | "settle" | "confirm-newest" }
  | { readonly do: "confirm"; readonly marker: number }
  | { readonly do: "pass"; readonly ms: number }
  | { readonly do: "change"; readonly whose: "a" | "b"; readonly key: number; readonly gone: boolean }
  | { readonly do: "event"; readonly whose: "a" | "b" };

const anyToken = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<string>(TOKENS.mine, TOKENS.mineToo) },
  fc.constant<string>(TOKENS.foreign),
  fc.constant("nobody's"),
);
const whose = fc.constantFrom("a" as const, "b" as const);
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("say" as const), message: anyMessageWith(anyToken) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("garbage" as const, "ping" as const, "settle" as const, "confirm-newest" as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("confirm" as const),
      marker: fc.oneof(fc.integer({ min: -3, max: 9 }), fc.double()),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("pass" as const),
      ms: fc.oneof(fc.nat({ max: 2_000 }), fc.nat({ max: 30_000 })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      whose,
      key: fc.nat({ max: 2 }),
      gone: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("event" as const), whose }) },
);
/** Most scenarios begin like a client does, else few would get far. */
const anyScenario = fc
  .tuple(fc.boolean(), fc.array(anyAction, { maxLength: 80, size: "max" }))
  .map(([greets, rest]): Action[] => {
    const hello = { t: "hello", protocol: 1, token: TOKENS.mine };
    return greets ? [{ do: "say", message: hello }, { do: "settle" }, ...rest] : rest;
  });

/** Create a session under a scenario, with its model and a client's copy. */
function createWorld() {
  const { clock, timers, farm, open } = createSessionHarness();
  farm.grant(TOKENS.mine, "a", SHORT_MS);
  farm.grant(TOKENS.mineToo, "a", A_DAY_MS);
  farm.grant(TOKENS.foreign, "b", A_DAY_MS);
  const sent: ServerMessage[] = [];
  let marks: { number: number; at: number; total: number }[] = [];
  let total = 0;
  let confirmed = 0;
  let ended: "open" | "closed" | "cut" = "open";
  const session = open({
    transport: "websocket",
    bufferedAmount: () => 0,
    send({ bytes }) {
      total += bytes.length;
      sent.push(sentMessage({ bytes }));
    },
    mark: (number) => void marks.push({ number, at: clock.monotonic(), total }),
    close: () => {
      ended = "closed";
    },
    terminate: () => {
      // After `bye` the connection is cut for good; that is no end of its own.
      if (ended === "open") ended = "cut";
      session.closed();
    },
  });
  return {
    clock,
    timers,
    farm,
    session,
    sent,
    ended: () => ended,
    /** SLOW-2: return when the oldest marker will have been unconfirmed for 60 s. */
    slowBy: () =>
      total > confirmed
        ? (marks[0]?.at ?? Number.POSITIVE_INFINITY) + LIVE_LIMITS.markerTimeoutMs
        : Number.POSITIVE_INFINITY,
    confirm(number: number): void {
      const found = marks.find((mark) => mark.number === number);
      if (found) {
        confirmed = found.total;
        marks = marks.filter((mark) => mark.number > number);
      }
      session.confirmed(number);
    },
    newest: () => marks.at(-1)?.number ?? 0,
  };
}

/** Return a session's own messages, without beats and streams. */
function spoken(messages: readonly ServerMessage[]): Expected[] {
  return messages.flatMap((message): Expected[] => {
    switch (message.t) {
      case "welcome":
      case "link":
        return [{ t: message.t }];
      case "error":
        return [{ t: "error", code: message.code, ...(message.ref !== undefined && { ref: message.ref }) }];
      case "bye":
        return [{ t: "bye", code: message.code }];
      default:
        return [];
    }
  });
}

/** Return the offsets that a client claims in a scenario, valid or not. */
function claimedBy(scenario: readonly Action[]): ReadonlySet<number> {
  const claimed = new Set<number>();
  for (const action of scenario) {
    const parsed = action.do === "say" ? parse(Subscribe, action.message) : null;
    if (parsed?.ok && parsed.value.position) claimed.add(parsed.value.position.offset);
  }
  return claimed;
}

/** SUB-1: expect each frame to begin at the end of the one before, or at the client's claimed position. */
function expectNoHole(messages: readonly ServerMessage[], claimed: ReadonlySet<number>): void {
  let offset: number | undefined;
  for (const message of messages) {
    if ((message.t === "snapshot" || message.t === "resumed") && message.stream === "devices")
      offset = message.offset;
    if (message.t !== "change") continue;
    if (message.from !== offset) expect(claimed).toContain(message.from);
    expect(message.offset).toBeGreaterThan(message.from);
    offset = message.offset;
  }
}

async function live(scenario: readonly Action[], whoIsAt: { mine: number }): Promise<void> {
  const world = createWorld();
  const { clock, timers, farm, session, sent } = world;
  const now = (): number => clock.monotonic();
  const ends = new Map<string, number>([
    [TOKENS.mine, now() + SHORT_MS],
    [TOKENS.mineToo, now() + A_DAY_MS],
  ]);
  const model = createSessionModel(now(), ends);
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
    model.settle(now());
  };
  let compared = 0;
  let counter = 0;
  for (const action of scenario) {
    counter += 1;
    switch (action.do) {
      case "say":
        session.receive(action.message);
        model.say(action.message, now());
        break;
      case "garbage":
        session.receiveGarbage();
        model.garbage(now());
        break;
      case "ping":
        session.pinged();
        model.ping(now());
        break;
      case "confirm-newest":
        world.confirm(world.newest());
        model.received(now());
        break;
      case "confirm":
        world.confirm(action.marker);
        model.received(now());
        break;
      case "settle":
        await settle();
        break;
      case "pass": {
        await settle();
        const slowBy = world.slowBy();
        timers.advance(action.ms);
        const isCut = model.passed(now(), slowBy);
        if (isCut) expect(world.ended()).toBe("cut");
        break;
      }
      case "change": {
        const keys = action.whose === "a" ? MY_KEYS : FOREIGN_KEYS;
        const one = keys[action.key] ?? keys[0];
        const value = { n: counter, ...(action.whose === "b" && { secret: SECRET }) };
        farm.account(action.whose).change(action.gone ? {} : { [one]: value }, action.gone ? [one] : []);
        break;
      }
      case "event":
        farm.account(action.whose).event({
          kind: "flip",
          at: "2026-11-21T03:00:00.000Z",
          key: action.whose === "a" ? MY_KEYS[0] : FOREIGN_KEYS[0],
          online: false,
          last: null,
          ...(action.whose === "b" && { value: { of: SECRET } }),
        });
        break;
    }
    expect(spoken(sent.slice(compared))).toEqual(model.drain());
    compared = sent.length;
    expect(world.ended() === "open").toBe(model.stage !== "ended");
  }
  await settle();
  expect(spoken(sent.slice(compared))).toEqual(model.drain());
  const isMine = farm.account("a").tokens.length > 0;
  if (isMine) whoIsAt.mine += 1;
  const text = JSON.stringify(sent);
  if (isMine) for (const key of FOREIGN_KEYS) expect(text).not.toContain(key);
  if (isMine) expect(text).not.toContain(SECRET);
  if (!isMine) for (const key of MY_KEYS) expect(text).not.toContain(key);
  expectNoHole(sent, claimedBy(scenario));
  session.closed();
  expect(farm.account("a").viewers + farm.account("b").viewers).toBe(0);
  timers.advance(A_DAY_MS);
  expect(timers.pending).toBe(0);
}

test("[HS-5] answers any messages in any order as its model does, and only with its own account's data", async () => {
  const whoIsAt = { mine: 0 };
  const options = fuzzing(RUNS);
  await fc.assert(
    fc.asyncProperty(anyScenario, (scenario) => live(scenario, whoIsAt)),
    options,
  );
  // A fuzz that never gets in proves nothing.
  expect(whoIsAt.mine).toBeGreaterThan(options.numRuns / 10);
}, 120_000);
