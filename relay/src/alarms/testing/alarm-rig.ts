import { Alarm } from "@mulkko/shared/live/alarm";
import type { AlarmEvent, CommandEvent } from "@mulkko/shared/live/events";
import type { Watering } from "@mulkko/shared/live/watering";
import { parse } from "@mulkko/shared/schema/parse";
import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import type { CommandRequest } from "../../ports/commands.ts";
import type { StateValue } from "../../ports/streams.ts";
import type { AccountWriter } from "../../ports/writer.ts";
import { createFakeLink, type FakeLink } from "../../testing/fake-link.ts";
import { createFakeTimers, type FakeTimers } from "../../testing/fake-timers.ts";
import { createKeptLog, type KeptLog } from "../../testing/kept-log.ts";
import { settle } from "../../testing/settle.ts";
import { createFakeWriter, type FakeWriter } from "../../valves/testing/fake-writer.ts";
import { createAlarmDesk, type OwnedAlarms } from "../alarm-desk.ts";
import { tapWriter } from "../tapped-writer.ts";
import { createFakeAlarmStore, type FakeAlarmStore } from "./fake-alarm-store.ts";

/** An account's alarms on a fake clock: a test writes what devices say, and looks at what becomes of it. */
export interface AlarmRig {
  readonly clock: FakeClock;
  readonly timers: FakeTimers;
  readonly link: FakeLink;
  readonly store: FakeAlarmStore;
  readonly log: KeptLog;
  /** As the account's sources and valves write. */
  readonly writer: AccountWriter;
  desk: OwnedAlarms;
  attended: boolean;
  administers: boolean;
  capMinutes: number;
  adopts: boolean;
  /** Commands that the relay gave to the valves. */
  readonly closes: CommandRequest[];
  /** The valves do not take what they are given. */
  refuses: boolean;
  /** Present alarms, as screens see them. */
  shown(): Alarm[];
  /** `type key` of those that are active, in the order in which they came. */
  active(): string[];
  find(type: Alarm["type"], key?: string): Alarm | undefined;
  told(): AlarmEvent[];
  iso(agoMs?: number): string;
  sensor(id: string, change?: StateValue): void;
  controller(id: string, change?: StateValue): void;
  channel(id: string, change?: StateValue): void;
  farm(id: string, sensorIds: readonly string[]): void;
  watering(change?: Partial<Watering>): void;
  command(change: Partial<CommandEvent>): void;
  /** The node dies; another owner takes up what is stored, and reads the account anew. */
  restart(): Promise<void>;
  /** Another owner goes on with the streams as they are, and with one key more. */
  takeOver(key: string, value: StateValue): Promise<void>;
}

/** A channel of controller `c1` with nothing in it. */
const CHANNEL = {
  controllerId: "c1",
  serial: 1,
  number: 1,
  sensorIds: [],
  onoff: 2,
  modes: null,
  moisture: null,
  runUntil: null,
  endsBy: null,
  command: null,
  at: null,
  heardAt: null,
  quality: "fresh",
};

export async function createAlarmRig(): Promise<AlarmRig> {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const link = createFakeLink();
  const store = createFakeAlarmStore();
  const log = createKeptLog();
  let ids = 0;
  let raw: FakeWriter = createFakeWriter();
  const make = async () => {
    const desk = await createAlarmDesk({
      writer: raw,
      store,
      link,
      clock,
      timers,
      log,
      adopts: () => rig.adopts,
      valves: () => ({
        async command(request) {
          rig.closes.push(request);
          if (rig.refuses) return { ok: false, status: 503, code: "store-down", message: "disk full" };
          const { commandId } = request;
          return { ok: true, record: { commandId, state: "requested", target: 2, until: null } };
        },
      }),
      capMs: () => rig.capMinutes * 60_000,
      attended: () => rig.attended,
      administers: () => rig.administers,
      newId: () => `a${ids++}`,
    });
    return { desk, writer: tapWriter(raw, desk) };
  };
  const write = (key: string, plain: StateValue, change: StateValue): void => {
    if (rig.writer.get(key)) rig.writer.patch(key, change);
    else rig.writer.set(key, { ...plain, ...change });
  };
  const state = { made: undefined as Awaited<ReturnType<typeof make>> | undefined };
  const made = () => {
    if (!state.made) throw new Error("the desk is not there yet");
    return state.made;
  };
  const rig: AlarmRig = {
    clock,
    timers,
    link,
    store,
    log,
    attended: true,
    administers: false,
    capMinutes: 120,
    adopts: false,
    closes: [],
    refuses: false,
    get writer() {
      return made().writer;
    },
    get desk() {
      return made().desk;
    },
    shown: () =>
      [...raw.keys()].flatMap((key) => {
        if (!key.startsWith("alarm:")) return [];
        const alarm = parse(Alarm, raw.get(key));
        if (!alarm.ok) throw new Error(`${key} ${alarm.path} ${alarm.message}`);
        return [alarm.value];
      }),
    active: () => rig.shown().flatMap(({ active, type, key }) => (active ? [`${type} ${key}`] : [])),
    find: (type, key) =>
      rig.shown().find((alarm) => alarm.type === type && (key === undefined || alarm.key === key)),
    told: () => raw.events.flatMap((event) => (event.kind === "alarm" ? [event] : [])),
    iso: (agoMs = 0) => new Date(clock.now() - agoMs).toISOString(),
    sensor(id, change = {}) {
      const info = { id, name: `Soil ${id}`, serial: 100, deviceType: "SMS" };
      write(`sensor:${id}`, { info, reading: null, at: null, heardAt: rig.iso(), quality: "fresh" }, change);
    },
    controller(id, change = {}) {
      const info = { id, name: `Box ${id}`, serial: 200 };
      const plain = { info, quality: "fresh", rssi: null, fwversion: null, heardAt: rig.iso(), link: null };
      write(`controller:${id}`, plain, change);
    },
    channel: (id, change = {}) => write(`channel:${id}`, CHANNEL, change),
    farm(id, sensorIds) {
      rig.writer.set(`farm:${id}`, { info: { id, name: `Farm ${id}`, description: null, sensorIds } });
    },
    watering(change = {}) {
      const plain: Watering = {
        id: "w1",
        channelId: "11",
        cause: "person",
        by: null,
        start: rig.iso(),
        end: null,
        endReason: null,
        moistureBefore: null,
        moistureAfter: null,
        litres: null,
      };
      write(`watering:${change.id ?? plain.id}`, { ...plain }, { ...change });
    },
    command: (change) =>
      rig.writer.event({
        kind: "command",
        at: rig.iso(),
        id: "k1",
        command: "onoff",
        controllerId: "c1",
        channelId: "11",
        number: 1,
        target: 1,
        state: "requested",
        by: { id: "u", nickname: "Kim" },
        ...change,
      }),
    async takeOver(key, value) {
      await settle();
      await rig.desk.close();
      raw.set(key, value);
      state.made = await make();
    },
    async restart() {
      await settle();
      const before = raw;
      await rig.desk.close();
      raw = createFakeWriter();
      state.made = await make();
      for (const key of before.keys()) {
        if (/^(alarm|watering):/.test(key)) continue;
        const value = before.get(key);
        if (value) rig.writer.set(key, key.startsWith("farm:") ? value : { ...value, quality: null });
      }
      rig.desk.loaded();
    },
  };
  state.made = await make();
  return rig;
}
