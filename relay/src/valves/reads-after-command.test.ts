import type { Timers } from "@mulkko/shared/rules/clock";
import { channelKey, controllerKey } from "@mulkko/shared/rules/device-keys";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createFakeDocuments } from "../../testing/fake-documents.ts";
import { createFakeFarm, type FarmKind } from "../../testing/valves/fake-farm.ts";
import { createFakeWriter } from "../../testing/valves/fake-writer.ts";
import { valveDeps } from "../../testing/valves/valve-deps.ts";
import type { ChannelReport } from "../account/channel-report.ts";
import type { OutgoingCommand } from "../upstream/outgoing-command.ts";
import { OwnedValves } from "./valve-service.ts";

const CONTROLLER = "20000000-0000-4000-8000-000000000001";
const CHANNEL = channelKey(11);
const PLAIN: FarmKind = { reportsDetails: false, timesRuns: false };

/**
 * A service that requests reads, and gets only the reports of the test.
 *
 * @param lateMs by how much each of its timers is late
 */
async function createHarness(lateMs = 0) {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const farm = createFakeFarm(clock, createFakeTimers(clock), PLAIN);
  const writer = createFakeWriter();
  writer.set(controllerKey(CONTROLLER), { info: { id: CONTROLLER }, quality: "fresh", link: "up" });
  writer.set(CHANNEL, { controllerId: CONTROLLER, number: 1, onoff: 2, modes: null, moisture: null });
  const started = clock.now();
  const reads: { channelKey: string; atSeconds: number }[] = [];
  // The API accepts every command at once.
  const sent: number[] = [];
  const upstream = Object.assign(farm, {
    async send(command: OutgoingCommand) {
      if (command.payload === 2) sent.push((clock.now() - started) / 1_000);
      return { kind: "accepted", commandId: null } as const;
    },
  });
  const lateTimers: Timers = { after: (ms, run) => timers.after(ms + lateMs, run) };
  const service = await OwnedValves.load(
    valveDeps({
      ...{ writer, store: createFakeDocuments().documents, upstream, clock, timers: lateTimers },
      onRead(channelKey, inMs) {
        reads.push({ channelKey, atSeconds: (clock.now() + inMs - started) / 1_000 });
      },
    }),
  );
  const pass = (seconds: number) => timers.pass(seconds * 1_000);
  return {
    pass,
    clock,
    /** When a close was sent, seconds. */
    closes: sent,
    writer,
    reads,
    secondsOf: () => reads.map(({ atSeconds }) => atSeconds),
    async press(target: 1 | 2) {
      void service.command({
        commandId: `press-${target}`,
        controllerId: CONTROLLER,
        number: 1,
        command: "onoff",
        payload: target,
        target,
        maxRunSeconds: 600,
        by: { id: "u1", nickname: "Kim" },
        token: "token-of-kim",
        form: "controller",
        origin: "screen",
        traceId: "trace",
      });
      await pass(0);
    },
    report(onoff: 1 | 2) {
      const report: ChannelReport = {
        onoff,
        at: null,
        heardAt: null,
        commandId: null,
        runUntil: null,
        via: "poll",
        isLive: false,
        askedAt: clock.now(),
        arrival: null,
        order: { begun: clock.monotonic(), arrived: clock.monotonic() },
        activeMode: "none",
        isLost: false,
      };
      writer.patch(CHANNEL, { onoff });
      service.report(CHANNEL, report);
    },
  };
}

const gapsOf = (seconds: readonly number[]): number[] =>
  seconds.slice(1).map((at, index) => at - (seconds[index] ?? 0));

test.each([1, 2] as const)(
  "[POLL-6] reads the channel 2 s after a command to %i, then with growing gaps for 60 s",
  async (target) => {
    const { press, pass, reads, secondsOf } = await createHarness();
    await press(target);
    await pass(1.999);
    expect(reads).toEqual([]);
    await pass(0.001);
    expect(reads).toEqual([{ channelKey: CHANNEL, atSeconds: 2 }]);
    await pass(58);
    expect(secondsOf()).toEqual([2, 5.2, 9, 14, 20, 30, 45, 58]);
    const growing = gapsOf(secondsOf()).slice(0, -1);
    expect(growing).toEqual([...growing].sort((a, b) => a - b));
  },
);

test("[POLL-6] stops reading for the command once the state has changed", async () => {
  const { press, pass, report, reads, secondsOf, writer } = await createHarness();
  await press(1);
  await pass(2);
  report(1);
  await pass(3.2);
  report(1);
  await pass(0);
  expect(writer.events.at(-1)).toMatchObject({ kind: "command", state: "confirmed" });
  expect(secondsOf()).toEqual([2, 5.2]);
  await pass(120);
  expect(reads).toHaveLength(2);
});

test("[POLL-6] continues the reads after reports of the old state", async () => {
  const { press, pass, report, secondsOf } = await createHarness();
  await press(1);
  await pass(2);
  report(2);
  await pass(3.2);
  report(2);
  await pass(3.8);
  expect(secondsOf()).toEqual([2, 5.2, 9]);
});

test("[CMD-5] reads every 15 s after 60 s without confirmation, until the state arrives", async () => {
  const { press, pass, report, secondsOf, writer } = await createHarness();
  await press(1);
  await pass(60);
  expect(writer.events.at(-1)).toMatchObject({ state: "unconfirmed" });
  await pass(50);
  const after = secondsOf().filter((at) => at > 60);
  expect(after).toEqual([73, 88, 103]);
  report(1);
  await pass(15);
  report(1);
  await pass(0);
  expect(writer.events.at(-1)).toMatchObject({ state: "confirmed" });
  const count = secondsOf().length;
  await pass(100);
  expect(secondsOf()).toHaveLength(count);
});

test("[POLL-6] reads nothing without a command", async () => {
  const { pass, report, reads } = await createHarness();
  report(1);
  await pass(300);
  expect(reads).toEqual([]);
});

test.each([0, 1_000, 1_600, 5_000, 20_000])(
  "[RUN-2] closes soon after the end of a run, also where each timer is %i ms late and no read is answered",
  async (lateMs) => {
    const { press, pass, report, closes } = await createHarness(lateMs);
    await press(1);
    await pass(3);
    report(1);
    await pass(4);
    report(1);
    for (let seconds = 0; seconds < 900; seconds += 1) await pass(1);
    // The end, the looks for 30 s, and the timers that are late.
    expect(closes[0] ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(600);
    expect(closes[0] ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(632 + (3 * lateMs) / 1_000);
  },
);
