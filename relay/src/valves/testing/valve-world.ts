import { channelKey, controllerKey } from "@mulkko/shared/live/keys";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import type { CloseAllOutcome, CommandOutcome, CommandRequest } from "../../ports/commands.ts";
import type { OutgoingCommand, ValveDesk } from "../../ports/valves.ts";
import { createValveDesk } from "../valve-desk.ts";
import { createFakeFarm, type FarmKind } from "./fake-farm.ts";
import { createFakeOwner, type FakeOwner } from "./fake-owner.ts";
import { createFakeTimers, type FakeTimers, passTime, settle } from "./fake-timers.ts";
import { createFakeValveStore } from "./fake-valve-store.ts";
import { createFakeLog, createFakeWriter, type FakeWriter } from "./fake-writer.ts";

export const CONTROLLER = "20000000-0000-4000-8000-000000000001";
export const CHANNEL = channelKey(11);
export const FARMER = { id: "u1", nickname: "Kim" };

/** A real desk on one channel, with a farm, a clock and a store that do as they are told. */
export async function createValveWorld(kind: FarmKind) {
  const clock = createFakeClock();
  const farmTimers = createFakeTimers(clock);
  const farm = createFakeFarm(clock, farmTimers, kind);
  const store = createFakeValveStore(clock);
  const log = createFakeLog();
  const staleSends: OutgoingCommand[] = [];
  let ids = 0;
  let fence = 0;
  let relayTimers = createFakeTimers(clock);
  let writer = createFakeWriter();
  let desk: ValveDesk | null = null;
  let owner = createFakeOwner(farm, store, { fence, newest: () => fence, staleSends });
  let lame: { desk: ValveDesk; timers: FakeTimers; owner: FakeOwner; awake: boolean } | null = null;
  let onWriter: (fresh: FakeWriter) => void = () => undefined;

  const start = async (): Promise<void> => {
    fence += 1;
    owner = createFakeOwner(farm, store, { fence, newest: () => fence, staleSends });
    relayTimers = createFakeTimers(clock);
    const myTimers = relayTimers;
    writer = createFakeWriter();
    onWriter(writer);
    writer.set(controllerKey(CONTROLLER), { info: { id: CONTROLLER }, quality: "fresh", link: "up" });
    writer.set(CHANNEL, {
      controllerId: CONTROLLER,
      serial: 200001,
      number: 1,
      sensorIds: [],
      onoff: 0,
      modes: null,
      moisture: 30,
      runUntil: null,
      endsBy: null,
      command: null,
      at: null,
      heardAt: null,
      quality: "fresh",
    });
    const mine = writer;
    const made = await createValveDesk(
      {
        accountId: "u1",
        writer,
        store: owner.store,
        upstream: owner.upstream,
        reads: { due: (_key, inMs) => void myTimers.after(inMs, () => farm.read()) },
        clock,
        timers: myTimers,
        log,
      },
      { newId: () => `relay-${++ids}` },
    );
    desk = made;
    farm.listener = (report) => {
      mine.patch(CHANNEL, { onoff: report.onoff });
      if (report.via === "mqtt") made.heard(CONTROLLER);
      made.report(CHANNEL, report);
    };
    await settle();
  };
  await start();
  const requestOf = (target: 1 | 2, change: Partial<CommandRequest>): CommandRequest => ({
    commandId: `press-${++ids}`,
    controllerId: CONTROLLER,
    number: 1,
    command: "onoff",
    payload: target,
    target,
    maxRunSeconds: undefined,
    by: FARMER,
    token: "token-of-kim",
    form: "controller",
    origin: "screen",
    traceId: "trace",
    ...change,
  });

  return {
    clock,
    farm,
    store,
    log,
    get writer() {
      return writer;
    },
    get desk(): ValveDesk {
      if (desk === null) throw new Error("the relay is down");
      return desk;
    },
    get running() {
      return desk !== null;
    },
    /** Told of every new copy, before anything is in it. */
    watchWriter(watch: (fresh: FakeWriter) => void) {
      onWriter = watch;
      watch(writer);
    },
    channel: () => writer.get(CHANNEL) ?? {},
    pass: (ms: number) =>
      passTime(clock, [farmTimers, relayTimers, ...(lame?.awake ? [lame.timers] : [])], ms),
    press(target: 1 | 2, change: Partial<CommandRequest> = {}): Promise<CommandOutcome> {
      if (desk === null) throw new Error("the relay is down");
      return desk.command(requestOf(target, change));
    },
    /** Takes an opening back. */
    withdraw(commandId: string, change: Partial<CommandRequest> = {}): Promise<CommandOutcome> {
      if (desk === null) throw new Error("the relay is down");
      return desk.withdraw(requestOf(1, { commandId, ...change }));
    },
    closeAll(jobId: string): Promise<CloseAllOutcome> {
      if (desk === null) throw new Error("the relay is down");
      return desk.closeAll({
        jobId,
        farmId: null,
        by: FARMER,
        token: "token-of-kim",
        origin: "screen",
        traceId: "trace",
      });
    },
    /** The process ends as by SIGKILL, and with it its timers and what it had in memory. */
    kill() {
      desk?.close();
      desk = null;
      relayTimers.killAll();
      farm.listener = null;
    },
    /** The process stops as by SIGSTOP: nothing of it runs, and what comes back to it waits. */
    freeze() {
      if (desk === null) return;
      owner.freeze();
      lame = { desk, timers: relayTimers, owner, awake: false };
      // Where it writes to, another owner is compared with its fence: what it shows reaches nobody.
      writer.onPatch = () => undefined;
      writer.event = () => undefined;
      desk = null;
      relayTimers = createFakeTimers(clock);
      farm.listener = null;
    },
    /** The frozen process goes on, and does not know yet that somebody else owns its account. */
    wake() {
      if (lame === null) return;
      lame.awake = true;
      lame.owner.thaw();
    },
    /** The process that went on has learned that its shard is another's. */
    drop() {
      lame?.desk.close();
      lame?.timers.killAll();
      lame = null;
    },
    get hasLame() {
      return lame !== null;
    },
    /** What left for the farm API of an owner that was one no more. */
    staleSends,
    start,
  };
}

export type ValveWorld = Awaited<ReturnType<typeof createValveWorld>>;

/** States that the commands of a world went through, in order, as the events tell them. */
export function statesTold(world: ValveWorld): string[] {
  return world.writer.events.flatMap((event) =>
    event.kind === "command" ? [`${event.target === 1 ? "open" : "close"} ${event.state}`] : [],
  );
}
