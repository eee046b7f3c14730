import { channelKey, controllerKey } from "@mulkko/shared/rules/device-keys";
import { buildChannelValue } from "@mulkko/shared/testing/builders";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers, passTime, settle } from "@mulkko/shared/testing/fake-timers";
import type { OutgoingCommand } from "../../src/upstream/outgoing-command.ts";
import type { CloseAllOutcome, CommandOutcome, CommandRequest } from "../../src/valves/commands.ts";
import { OwnedValves } from "../../src/valves/valve-service.ts";
import type { ValveService } from "../../src/valves/valves.ts";
import { createFakeDocuments } from "../fake-documents.ts";
import { createFakeFarm, type FarmKind } from "./fake-farm.ts";
import { createFakeOwner, type FakeOwner } from "./fake-owner.ts";
import { createFakeLog, createFakeWriter, type FakeWriter } from "./fake-writer.ts";
import { valveDeps } from "./valve-deps.ts";

export const CONTROLLER = "20000000-0000-4000-8000-000000000001";
export const CHANNEL = channelKey(11);
export const FARMER = { id: "u1", nickname: "Kim" };

/** Create a real service with one channel on a controllable farm, clock and store. */
export async function createValveWorld(kind: FarmKind) {
  const clock = createFakeClock();
  const farmTimers = createFakeTimers(clock);
  const farm = createFakeFarm(clock, farmTimers, kind);
  const store = createFakeDocuments();
  const log = createFakeLog();
  const staleSends: OutgoingCommand[] = [];
  let ids = 0;
  let fence = 0;
  let relayTimers = createFakeTimers(clock);
  let writer = createFakeWriter();
  let service: ValveService | null = null;
  let owner = createFakeOwner(farm, store.texts, { fence, newest: () => fence, staleSends });
  let lame: { service: ValveService; timers: FakeTimers; owner: FakeOwner; awake: boolean } | null = null;
  let onWriter: (fresh: FakeWriter) => void = () => undefined;

  const start = async (): Promise<void> => {
    fence += 1;
    owner = createFakeOwner(farm, store.texts, { fence, newest: () => fence, staleSends });
    relayTimers = createFakeTimers(clock);
    const myTimers = relayTimers;
    writer = createFakeWriter();
    onWriter(writer);
    writer.set(controllerKey(CONTROLLER), { info: { id: CONTROLLER }, quality: "fresh", link: "up" });
    writer.set(CHANNEL, {
      ...buildChannelValue({ controllerId: CONTROLLER, serial: 200001, onoff: 0, moisture: 30 }),
    });
    const mine = writer;
    const made = await OwnedValves.load(
      valveDeps({
        writer,
        store: owner.store,
        upstream: owner.upstream,
        clock,
        timers: myTimers,
        log,
        onRead: (_key, inMs) => void myTimers.after(inMs, () => farm.read()),
      }),
      { newId: () => `relay-${++ids}` },
    );
    service = made;
    farm.listener = (report) => {
      mine.patch(CHANNEL, { onoff: report.onoff });
      if (report.via === "mqtt") made.received(CONTROLLER);
      made.report(CHANNEL, report);
    };
    await settle();
  };
  await start();
  const requestOf = (target: 1 | 2, change: Partial<CommandRequest>): CommandRequest => ({
    commandId: `command-${++ids}`,
    controllerId: CONTROLLER,
    number: 1,
    command: "onoff",
    payload: target,
    target,
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
    get service(): ValveService {
      if (service === null) throw new Error("the relay is down");
      return service;
    },
    get running() {
      return service !== null;
    },
    /** Pass every new copy to the watcher, before it has any content. */
    watchWriter(watch: (fresh: FakeWriter) => void) {
      onWriter = watch;
      watch(writer);
    },
    channel: () => writer.get(CHANNEL) ?? {},
    pass: (ms: number) =>
      passTime(clock, [farmTimers, relayTimers, ...(lame?.awake ? [lame.timers] : [])], ms),
    command(target: 1 | 2, change: Partial<CommandRequest> = {}): Promise<CommandOutcome> {
      if (service === null) throw new Error("the relay is down");
      return service.command(requestOf(target, change));
    },
    /** Withdraw an opening. */
    withdraw(commandId: string, change: Partial<CommandRequest> = {}): Promise<CommandOutcome> {
      if (service === null) throw new Error("the relay is down");
      return service.withdraw(requestOf(1, { commandId, ...change }));
    },
    closeAll(jobId: string): Promise<CloseAllOutcome> {
      if (service === null) throw new Error("the relay is down");
      return service.closeAll({
        jobId,
        farmId: null,
        by: FARMER,
        token: "token-of-kim",
        origin: "screen",
        traceId: "trace",
      });
    },
    /** End the process as by SIGKILL, with its timers and its memory. */
    kill() {
      service?.close();
      service = null;
      relayTimers.clear();
      farm.listener = null;
    },
    /** Stop the process as by SIGSTOP: nothing in it runs, and everything that returns to it waits. */
    freeze() {
      if (service === null) return;
      owner.freeze();
      lame = { service, timers: relayTimers, owner, awake: false };
      // Its writes are compared with the fence of another owner: its state reaches no viewer.
      writer.onPatch = () => undefined;
      writer.event = () => undefined;
      service = null;
      relayTimers = createFakeTimers(clock);
      farm.listener = null;
    },
    /** Resume the stopped process, which does not know yet that another node owns its account. */
    wake() {
      if (lame === null) return;
      lame.awake = true;
      lame.owner.thaw();
    },
    /** Let the resumed process learn that another node owns its shard. */
    drop() {
      lame?.service.close();
      lame?.timers.clear();
      lame = null;
    },
    get hasLame() {
      return lame !== null;
    },
    /** Sends to the farm API by a process that no longer was the owner. */
    staleSends,
    start,
  };
}

export type ValveWorld = Awaited<ReturnType<typeof createValveWorld>>;

/** Return the states that the commands of a world passed, in order of their events. */
export function passedStates(world: ValveWorld): string[] {
  return world.writer.events.flatMap((event) =>
    event.kind === "command" ? [`${event.target === 1 ? "open" : "close"} ${event.state}`] : [],
  );
}
