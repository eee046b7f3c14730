import { buildChannelValue } from "@mulkko/shared/testing/builders";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers, settle } from "@mulkko/shared/testing/fake-timers";
import { beforeEach, expect, test } from "vitest";
import { createFakeDocuments, type FakeDocuments } from "../../testing/fake-documents.ts";
import { createFakeFarm } from "../../testing/valves/fake-farm.ts";
import { createFakeWriter, type FakeWriter } from "../../testing/valves/fake-writer.ts";
import { valveDeps } from "../../testing/valves/valve-deps.ts";
import type { ChannelReport } from "../account/channel-report.ts";
import type { DocumentChange } from "../store/collections.ts";
import type { OutgoingCommand } from "../upstream/outgoing-command.ts";
import { closeIdOf, JOINT_MS } from "./close-all.ts";
import { COMMANDS } from "./command-log.ts";
import type { CloseAllRequest } from "./commands.ts";
import { INTENTS } from "./intent.ts";
import { OwnedValves } from "./valve-service.ts";
import type { ValveService } from "./valves.ts";

const FARMER = { id: "u1", nickname: "Kim" };
const BY_KIM = { by: FARMER, token: "token-of-kim", origin: "screen", traceId: "trace" };

let clock: ReturnType<typeof createFakeClock>;
let timers: FakeTimers;
let store: FakeDocuments;
let writer: FakeWriter;
let sent: OutgoingCommand[];
let service: ValveService;

const channel = (controllerId: string, number: number, active: "none" | "automatic" = "none") => ({
  ...buildChannelValue({
    controllerId,
    number,
    onoff: 1,
    modes: { active, automatic: null, reservation: null, period: null },
  }),
});

beforeEach(async () => {
  clock = createFakeClock();
  timers = createFakeTimers(clock);
  store = createFakeDocuments();
  writer = createFakeWriter();
  sent = [];
  writer.set("farm:1", { info: { id: 1, name: "1", description: null, sensorIds: ["s9"] } });
  writer.set("controller:c1", { info: { id: "c1", clusterId: 1 }, quality: "offline", link: "lost" });
  writer.set("controller:c2", { info: { id: "c2", clusterId: 0 }, quality: "fresh", link: "up" });
  writer.set("sensor:s9", { info: { id: "s9", deviceType: "COT" }, quality: "fresh" });
  writer.set("channel:11", channel("c1", 1));
  writer.set("channel:12", channel("c1", 2, "automatic"));
  writer.set("channel:21", channel("c2", 1));
  writer.set("channel:s9:1", channel("s9", 1));
  const farm = createFakeFarm(clock, createFakeTimers(clock), { reportsDetails: true, timesRuns: true });
  const upstream = Object.assign(farm, {
    send: async (command: OutgoingCommand) => {
      sent.push(command);
      return { kind: "accepted", commandId: command.commandId } as const;
    },
  });
  service = await OwnedValves.load(valveDeps({ writer, store: store.documents, upstream, clock, timers }));
});

const closeAll = (change: Partial<CloseAllRequest> = {}) =>
  service.closeAll({ jobId: "job-1", farmId: "1", ...BY_KIM, ...change });
const pass = (ms: number) => timers.pass(ms);
const closedReport = (commandId: string): ChannelReport => ({
  onoff: 2,
  at: clock.now(),
  heardAt: clock.now(),
  commandId,
  runUntil: null,
  via: "mqtt",
  isLive: true,
  askedAt: clock.now(),
  arrival: null,
  order: { begun: clock.monotonic(), arrived: clock.monotonic() },
  activeMode: "none",
  isLost: false,
});
const openOne = (controllerId: string, number: number) =>
  service.command({
    ...BY_KIM,
    commandId: `open-${controllerId}-${number}`,
    controllerId,
    number,
    command: "onoff",
    payload: 1,
    target: 1,
    maxRunSeconds: 600,
    form: "controller",
  });

test("[RUN-5] replaces every intent of the farm by a close in one durable step, in any known state", async () => {
  const outcome = await closeAll();
  const keysOf = (step: readonly DocumentChange[], name: string) =>
    step.filter(({ of }) => of.name === name).map(({ key }) => key);
  const first = store.steps.find((step) => keysOf(step, INTENTS.name).length > 1) ?? [];
  expect(keysOf(first, INTENTS.name).sort()).toEqual(["channel:11", "channel:12", "channel:s9:1"]);
  expect(keysOf(first, COMMANDS.name)).toHaveLength(3);
  expect(
    sent.map(({ controllerId, number, form, payload }) => [controllerId, number, form, payload]),
  ).toEqual([
    ["c1", 1, "controller", 2],
    ["c1", 2, "controller", 2],
    ["s9", 1, "sensor", 2],
  ]);
  expect(outcome).toMatchObject({
    ok: true,
    jobId: "job-1",
    channels: [
      { channelId: "11", state: "accepted", activeMode: "none" },
      { channelId: "12", state: "accepted", activeMode: "automatic" },
      { channelId: "s9:1", state: "accepted" },
    ],
  });
});

test("[RUN-5] shows each confirmation by the command that it names", async () => {
  const outcome = await closeAll();
  service.report("channel:11", closedReport(closeIdOf("job-1", "channel:11")));
  await pass(100);
  const confirmed = writer.events.flatMap((event) =>
    event.kind === "command" && event.state === "confirmed" ? [event.id] : [],
  );
  expect(confirmed).toEqual([outcome.ok && outcome.channels[0]?.commandId]);
  await pass(61_000);
  const states = (await service.commands({ from: 0 }))?.map((c) => c.state);
  expect(states?.sort()).toEqual(["confirmed", "unconfirmed", "unconfirmed"]);
});

test("[RUN-5] closes the valves that belong to no farm only with the whole account", async () => {
  await closeAll();
  expect(sent.some(({ controllerId }) => controllerId === "c2")).toBe(false);
  const all = await closeAll({ jobId: "job-2", farmId: null });
  expect(all.ok && all.channels.map(({ channelId }) => channelId)).toEqual(["11", "12", "21", "s9:1"]);
});

test("[RUN-5] answers not-found for an unknown farm, and closes nothing", async () => {
  expect(await closeAll({ farmId: "7" })).toMatchObject({ ok: false, status: 404 });
  expect(sent).toEqual([]);
});

test("[CMD-7] closes once for the same job given twice, with the same answer", async () => {
  const first = await closeAll();
  const again = await closeAll();
  expect(sent).toHaveLength(3);
  expect(again).toEqual(first);
});

test("[CMD-0] ends a pending opening as superseded, and never sends it again", async () => {
  await openOne("s9", 1);
  await closeAll({ farmId: null });
  await pass(20_000);
  const published = writer.events.flatMap((event) =>
    event.kind === "command" && event.id === "open-s9-1" ? [event.state] : [],
  );
  expect(published).toEqual(["requested", "accepted", "superseded"]);
  expect(sent.filter(({ payload }) => payload === 1)).toHaveLength(1);
});

test("[CMD-2] continues a pending close under its own id", async () => {
  const { controllerId, number } = { controllerId: "c1", number: 1 };
  await service.command({
    ...BY_KIM,
    commandId: "mine",
    controllerId,
    number,
    command: "onoff",
    payload: 2,
    target: 2,
    form: "controller",
  });
  await closeAll();
  expect(sent.filter((command) => command.controllerId === "c1" && command.number === 1)).toHaveLength(1);
  expect(sent).toHaveLength(3);
});

test("[NODE-4] closes the valves also when the store persists nothing", async () => {
  store.failing = true;
  await closeAll();
  expect(sent).toHaveLength(3);
});

test("[RUN-5] delays the other channels for at most half a second when one channel is blocked", async () => {
  let release = (): void => undefined;
  store.until = new Promise((resolve) => {
    release = resolve;
  });
  void openOne("s9", 1);
  await settle();
  store.until = Promise.resolve();
  const closing = closeAll();
  await pass(JOINT_MS + 1);
  release();
  await pass(100);
  await closing;
  expect(sent.filter(({ payload }) => payload === 2)).toHaveLength(3);
});

test("[CMD-9] filters the command log by farm, channel and time, with the actor, origin and time of each command", async () => {
  const began = clock.now();
  await closeAll();
  await pass(1_000);
  await closeAll({ jobId: "job-2", farmId: null });
  const everything = await service.commands({ from: 0 });
  expect(everything?.filter(({ channelId }) => channelId === "21")).toMatchObject([
    { by: FARMER, origin: "screen", target: 2, steps: [{ state: "requested" }, { state: "accepted" }] },
  ]);
  const farm = await service.commands({ from: 0, farmId: "1" });
  expect(farm?.some(({ channelId }) => channelId === "21")).toBe(false);
  const one = await service.commands({ from: began, to: began + 500, channelId: "11" });
  expect(one).toHaveLength(1);
  expect(await service.commands({ from: 0, to: 1, farmId: "7" })).toBeNull();
});
