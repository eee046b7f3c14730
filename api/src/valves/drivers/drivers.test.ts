import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { KnownValves } from "../../devices/device-index.ts";
import { LIMIT_SECONDS } from "./driver.ts";
import { driverOf, isOfValves, mayValvesPublish, mayValvesSubscribe } from "./drivers.ts";
import { driverOfBody, NATIVE } from "./enrol.ts";
import { pulseTimeOf, secondsOfPulseTime, tasmotaDriver } from "./tasmota.ts";

const NOW = Date.parse("2026-11-21T03:00:00Z");
const SHELLY: KnownValves = { serial: 7, driver: "shelly-gen2", address: "shellyplus1pm-441793d69718" };
const TASMOTA: KnownValves = { serial: 8, driver: "tasmota", address: "tasmota_49A3BC/%prefix%" };
const USUAL: KnownValves = { serial: 9, driver: "tasmota", address: "valve-house" };
const opening = { seconds: 600, commandId: "press-1", expiresAt: NOW + 10_000 };
const parse = (valves: KnownValves, topic: string, payload: object | string) =>
  driverOf(valves.driver).parse(
    valves,
    topic,
    typeof payload === "string" ? payload : JSON.stringify(payload),
  );

const recorded: { topic: string; payload: string }[] = readFileSync(
  new URL("../../../testing/drivers/valve-messages.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

describe("messages of real devices", () => {
  test.each([
    ["tasmota_49A3BC/tele/LWT", "online", [{ kind: "line", online: true }]],
    ["tasmota_49A3BC/tele/LWT", "offline", [{ kind: "line", online: false }]],
    ["tasmota_49A3BC/tele/STATE", '{"POWER":"ON"}', [{ kind: "valve", number: 1, isOpen: true }]],
    ["tasmota_49A3BC/tele/STATE", '{"POWER":"OFF"}', [{ kind: "valve", number: 1, isOpen: false }]],
  ])("[tasmota] %s %s", (topic, payload, expected) => {
    expect(recorded).toContainEqual({ topic, payload });
    expect(parse(TASMOTA, topic, payload)).toEqual(expected);
  });

  test("[shelly] a status numbers switches from 0 and includes a running timer", () => {
    const [message] = recorded.filter(({ topic }) => topic.endsWith("status/switch:0"));
    expect(parse(SHELLY, message?.topic ?? "", message?.payload ?? "")).toEqual([
      { kind: "valve", number: 1, isOpen: true, secondsLeft: null },
    ]);
  });

  test("[shelly] a notification without the timer leaves the end open; one with it has the end", () => {
    const topic = `${SHELLY.address}/events/rpc`;
    const notify = (status: object) => ({
      method: "NotifyStatus",
      params: { ts: NOW / 1_000, "switch:2": status },
    });
    expect(parse(SHELLY, topic, notify({ id: 2, output: true }))).toEqual([
      { kind: "valve", number: 3, isOpen: true },
    ]);
    const timed = { id: 2, output: true, timer_started_at: NOW / 1_000 - 20, timer_duration: 60 };
    expect(parse(SHELLY, topic, notify(timed))).toEqual([
      { kind: "valve", number: 3, isOpen: true, secondsLeft: 40 },
    ]);
    expect(parse(SHELLY, topic, notify({ id: 2, apower: 4 }))).toEqual([]);
  });

  test("[RUN-2] a Shelly's rest is of its own clock, however wrong, in every message that names its time", () => {
    const rest = fc.record({
      clock: fc.integer({ min: 1_000_000_000, max: 4_000_000_000 }),
      ran: fc.integer({ min: -2, max: 700 }),
    });
    fc.assert(
      fc.property(rest, ({ clock, ran }) => {
        const status = { id: 0, output: true, timer_started_at: clock - ran, timer_duration: 600 };
        const left = Math.min(600, Math.max(0, 600 - ran));
        const expected = [{ kind: "valve", number: 1, isOpen: true, secondsLeft: left }];
        const params = { ts: clock, "switch:0": status };
        expect(parse(SHELLY, `${SHELLY.address}/events/rpc`, { method: "NotifyFullStatus", params })).toEqual(
          expected,
        );
        const result = { "switch:0": status, "switch:1": { output: false }, sys: { unixtime: clock } };
        const answer = { id: "status/1", result };
        expect(parse(SHELLY, `mulkko/${SHELLY.serial}/valve/rpc`, answer)).toEqual(expected);
      }),
    );
  });

  test("[RUN-2] a Shelly's message without its time does not say when a run ends", () => {
    const status = { id: 0, output: true, timer_started_at: NOW / 1_000, timer_duration: 600 };
    const open = [{ kind: "valve", number: 1, isOpen: true }];
    expect(parse(SHELLY, `${SHELLY.address}/status/switch:0`, status)).toEqual(open);
    for (const sys of [undefined, { unixtime: null }, {}]) {
      const answer = { id: "status/1", result: { "switch:0": status, sys } };
      expect(parse(SHELLY, `mulkko/${SHELLY.serial}/valve/rpc`, answer)).toEqual(open);
    }
  });

  test("[RUN-2] a Shelly whose clock is not set does not say when its run ends", () => {
    const topic = `${SHELLY.address}/events/rpc`;
    const status = { id: 0, output: true, timer_started_at: 37.3, timer_duration: 600 };
    const event = { method: "NotifyStatus", params: { ts: 40.1, "switch:0": status } };
    expect(parse(SHELLY, topic, event)).toEqual([{ kind: "valve", number: 1, isOpen: true }]);
  });

  test("[drivers] ignores messages that are not theirs, of any form", () => {
    const rubbish = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom("{", "null", "[]", '{"id":"config/9","result":1}'),
    );
    const topics = [SHELLY, TASMOTA, USUAL].flatMap((valves) =>
      driverOf(valves.driver)
        .speaksUnder(valves)
        .map((filter) => [valves, filter.replace(/[+#]$/, "RESULT")] as const),
    );
    fc.assert(
      fc.property(fc.constantFrom(...topics), rubbish, ([valves, topic], payload) => {
        for (const said of parse(valves, topic, payload))
          expect(said.kind).toMatch(/^(line|valve|kept|refused)$/);
      }),
      { seed: 20_261_121, numRuns: 500 },
    );
  });
});

describe("open commands", () => {
  test("[RUN-2] each is one message, not retained, with its end", () => {
    expect(driverOf("native").open({ serial: 7, address: "", number: 2 }, opening)).toEqual({
      topic: "mulkko/7/ch/2/cmd/onoff",
      payload: JSON.stringify({
        state: 1,
        commandId: "press-1",
        expiresAt: "2026-11-21T03:00:10.000Z",
        maxRunSeconds: 600,
      }),
      qos: 1,
    });
    const shelly = driverOf("shelly-gen2").open({ ...SHELLY, number: 2 }, opening);
    expect([shelly.topic, JSON.parse(shelly.payload)]).toEqual([
      "shellyplus1pm-441793d69718/rpc",
      {
        id: "set/2",
        src: "mulkko/7/valve",
        method: "Switch.Set",
        params: { id: 1, on: true, toggle_after: 600 },
      },
    ]);
    expect(tasmotaDriver.open({ ...USUAL, number: 2 }, opening)).toEqual({
      topic: "cmnd/valve-house/Backlog0",
      payload: "PulseTime2 700; Power2 ON",
      qos: 1,
    });
    expect(tasmotaDriver.open({ ...TASMOTA, number: 1 }, opening).topic).toBe("tasmota_49A3BC/cmnd/Backlog0");
  });

  test("[tasmota] closes like other clients of the same device", () => {
    const { topic, payload } = tasmotaDriver.close({ ...TASMOTA, number: 1 }, "press-2", NOW);
    expect(recorded).toContainEqual({ topic, payload });
  });

  test.each([
    [1, 10],
    [11, 110],
    [12, 112],
    [13, 113],
    [360, 460],
    [7_200, 7_300],
    [64_800, 64_900],
    [86_400, 64_900],
  ])("[tasmota] %i s are PulseTime %i", (seconds, pulse) => {
    expect(pulseTimeOf(seconds)).toBe(pulse);
    expect(secondsOfPulseTime(pulse)).toBe(Math.min(seconds, tasmotaDriver.maxSeconds));
  });

  test("[tasmota] no query stops a running pulse: the power state is never queried by its own command", () => {
    const valve = { ...USUAL, number: 1 };
    const sent = [
      ...tasmotaDriver.ask(valve),
      ...tasmotaDriver.keep(valve),
      ...tasmotaDriver.afterRun(valve),
    ];
    expect(sent.filter(({ topic, payload }) => /\/power\d?$/i.test(topic) && payload === "")).toEqual([]);
    expect(tasmotaDriver.ask(valve)[0]).toEqual({ topic: "cmnd/valve-house/STATUS", payload: "11", qos: 1 });
  });
});

describe("settings stored in a valve", () => {
  const config = { initial_state: "off", auto_on: false, auto_off: true, auto_off_delay: LIMIT_SECONDS };
  const answer = (result: object) => parse(SHELLY, "mulkko/7/valve/rpc", { id: "config/2", result });
  const limits = (said: ReturnType<typeof parse>) =>
    said.flatMap((one) => (one.kind === "kept" ? [[one.what, one.isKept]] : []));

  test.each([
    [config, true, true],
    [{ ...config, initial_state: "restore_last" }, false, true],
    [{ ...config, auto_off: false }, true, false],
    [{ ...config, auto_off_delay: LIMIT_SECONDS + 1 }, true, false],
    [{ ...config, auto_on: true }, true, false],
  ])("[shelly] it is read back from %o", (result, closed, limited) => {
    expect(limits(answer(result))).toEqual([
      ["closed-at-power-up", closed],
      ["limit", limited],
    ]);
  });

  test.each([
    [{ PowerOnState: 0 }, [["closed-at-power-up", true]]],
    [{ PowerOnState: 3 }, [["closed-at-power-up", false]]],
    [{ PulseTime1: { Set: 7_300, Remaining: 0 } }, [["limit", true]]],
    [{ PulseTime1: { Set: 0, Remaining: 0 } }, [["limit", false]]],
    [{ PulseTime1: { Set: 64_900, Remaining: 0 } }, [["limit", false]]],
  ])("[tasmota] it is read back from %o", (result, kept) => {
    expect(limits(parse(USUAL, "stat/valve-house/RESULT", result))).toEqual(kept);
  });

  test("[drivers] reports a device's refusal with its reason", () => {
    const error = { id: "keep/1", error: { code: -103, message: "Invalid argument" } };
    expect(parse(SHELLY, "mulkko/7/valve/rpc", error)).toEqual([
      { kind: "refused", reason: "keep: Invalid argument" },
    ]);
    expect(parse(USUAL, "stat/valve-house/RESULT", { Command: "Unknown" })).toEqual([
      { kind: "refused", reason: "command unknown" },
    ]);
  });
});

describe("topics", () => {
  test.each([
    [SHELLY, "shellyplus1pm-441793d69718/status/sys", true],
    [SHELLY, "mulkko/7/valve/rpc", true],
    [SHELLY, "mulkko/8/valve/rpc", false],
    [SHELLY, "valve-house/rpc", false],
    [USUAL, "stat/valve-house/RESULT", true],
    [USUAL, "tele/valve-house/SENSOR", true],
    [USUAL, "cmnd/valve-house/POWER1", false],
    [USUAL, "stat/other/RESULT", false],
    [TASMOTA, "tasmota_49A3BC/stat/RESULT", true],
    [TASMOTA, "tasmota_49A3BC/cmnd/POWER1", false],
  ])("[broker] %o speaks under %s: %s", (valves, topic, allowed) => {
    expect(isOfValves(valves, topic)).toBe(allowed);
    expect(mayValvesPublish(valves, topic)).toBe(allowed);
  });

  test.each([
    [SHELLY, "shellyplus1pm-441793d69718/rpc", true],
    [SHELLY, "shellies/command", false],
    [SHELLY, "#", false],
    [USUAL, "cmnd/valve-house/#", true],
    [USUAL, "cmnd/tasmotas/#", false],
    [USUAL, "cmnd/#", false],
    [USUAL, "cmnd/+/POWER", false],
  ])("[broker] %o may subscribe %s: %s", (valves, filter, allowed) => {
    expect(mayValvesSubscribe(valves, filter)).toBe(allowed);
  });

  test.each([
    ["tasmota", "valve-house", true],
    ["tasmota", "tasmota_49A3BC/%prefix%", true],
    ["shelly-gen2", "shellyplus1pm-441793d69718", true],
    ["shelly-gen2", "name/%prefix%", false],
    ["shelly-gen2", "cmnd", false],
    ["tasmota", "mulkko", false],
    ["tasmota", "a/b", false],
    ["tasmota", "+", false],
    ["tasmota", "#", false],
    ["tasmota", "", false],
    ["shelly-gen2", "$SYS", false],
    ["zigbee", "valve-house", false],
  ])("[drivers] %s with the address %s may be registered: %s", (driver, address, isFine) => {
    const read = () => driverOfBody({ driver, address }, NATIVE);
    if (isFine) expect(read()).toEqual({ driver, address });
    else expect(read).toThrow();
  });
});
