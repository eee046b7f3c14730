import { Alarm } from "@mulkko/shared/live/alarm";
import type { AlarmEvent, CommandEvent } from "@mulkko/shared/live/events";
import type { Watering } from "@mulkko/shared/live/watering";
import { parse } from "@mulkko/shared/schema/parse";
import { buildChannelValue, buildControllerValue } from "@mulkko/shared/testing/builders";
import { createFakeClock, type FakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers, type FakeTimers, settle } from "@mulkko/shared/testing/fake-timers";
import { type AccountState, createAccountState } from "../../src/account/account-state.ts";
import { OwnedAlarms } from "../../src/alarms/alarm-service.ts";
import type { AlarmSink } from "../../src/alarms/alarm-source.ts";
import { createAlarmSources } from "../../src/alarms/alarm-sources.ts";
import type { StateValue } from "../../src/store/streams.ts";
import type { CommandRequest } from "../../src/valves/commands.ts";
import { createRelayCloses } from "../../src/valves/relay-closes.ts";
import type { ValveService } from "../../src/valves/valves.ts";
import { type CapturedLog, createCapturedLog } from "../captured-log.ts";
import { createFakeDocuments, type FakeDocuments } from "../fake-documents.ts";
import { createFakeLink, type FakeLink } from "../fake-link.ts";
import { createFakeWriter, type FakeWriter } from "../valves/fake-writer.ts";

/** An account's alarms on a fake clock: a test writes device reports, and reads the resulting alarms. */
export interface AlarmHarness {
  readonly clock: FakeClock;
  readonly timers: FakeTimers;
  readonly link: FakeLink;
  readonly store: FakeDocuments;
  readonly log: CapturedLog;
  /** Written as by the account's polls, messages and valves. */
  readonly state: AccountState;
  service: OwnedAlarms;
  attended: boolean;
  administers: boolean;
  capMinutes: number;
  adopts: boolean;
  /** Commands of the relay to the valves. */
  readonly closes: CommandRequest[];
  /** True while the valves refuse commands. */
  refuses: boolean;
  /** Return the present alarms as screens show them. */
  shown(): Alarm[];
  /** Return `type key` of the active alarms, in order of their start. */
  active(): string[];
  find(type: Alarm["type"], key?: string): Alarm | undefined;
  published(): AlarmEvent[];
  iso(agoMs?: number): string;
  sensor(id: string, change?: StateValue): void;
  controller(id: string, change?: StateValue): void;
  channel(id: string, change?: StateValue): void;
  farm(id: string, sensorIds: readonly string[]): void;
  watering(change?: Partial<Watering>): void;
  command(change: Partial<CommandEvent>): void;
  /**
   * Stop the node. Another owner loads the stored alarms and reads the account again.
   * @param change what it reads of a key; by default what was known, without a quality
   */
  restart(change?: (key: string, value: StateValue) => StateValue): Promise<void>;
  /** Let another owner continue the streams, with one more key. */
  takeOver(key: string, value: StateValue): Promise<void>;
}

export async function createAlarmHarness(): Promise<AlarmHarness> {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const link = createFakeLink();
  const store = createFakeDocuments();
  const log = createCapturedLog();
  let ids = 0;
  let raw: FakeWriter = createFakeWriter();
  const make = async () => {
    const state = createAccountState(raw);
    const settings = {
      runs: { capSeconds: () => harness.capMinutes * 60 },
      get adoptExternal() {
        return harness.adopts;
      },
    };
    const audience = {
      get isAttended() {
        return harness.attended;
      },
      get isAdministrator() {
        return harness.administers;
      },
    };
    const createSources = (sink: AlarmSink) =>
      createAlarmSources({ sink, state, clock, timers, link, settings, audience });
    const service = await OwnedAlarms.load(
      { state, store: store.documents, clock, timers, log, createSources },
      () => `a${ids++}`,
    );
    const valves: Pick<ValveService, "command"> = {
      async command(request) {
        harness.closes.push(request);
        if (harness.refuses) return { ok: false, status: 503, code: "store-down", message: "disk full" };
        const { commandId } = request;
        return { ok: true, record: { commandId, state: "requested", target: 2, until: null } };
      },
    };
    const closes = createRelayCloses({ state, valves, timers, log });
    service.start();
    return { service, state, closes };
  };
  const write = (key: string, plain: StateValue, change: StateValue): void => {
    if (harness.state.get(key)) harness.state.patch(key, change);
    else harness.state.set(key, { ...plain, ...change });
  };
  const current = { made: undefined as Awaited<ReturnType<typeof make>> | undefined };
  const made = () => {
    if (!current.made) throw new Error("the alarm service is not there yet");
    return current.made;
  };
  const harness: AlarmHarness = {
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
    get state() {
      return made().state;
    },
    get service() {
      return made().service;
    },
    shown: () =>
      [...raw.keys()].flatMap((key) => {
        if (!key.startsWith("alarm:")) return [];
        const alarm = parse(Alarm, raw.get(key));
        if (!alarm.ok) throw new Error(`${key} ${alarm.path} ${alarm.message}`);
        return [alarm.value];
      }),
    active: () => harness.shown().flatMap(({ active, type, key }) => (active ? [`${type} ${key}`] : [])),
    find: (type, key) =>
      harness.shown().find((alarm) => alarm.type === type && (key === undefined || alarm.key === key)),
    published: () => raw.events.flatMap((event) => (event.kind === "alarm" ? [event] : [])),
    iso: (agoMs = 0) => new Date(clock.now() - agoMs).toISOString(),
    sensor(id, change = {}) {
      const info = { id, name: `Soil ${id}`, serial: 100, deviceType: "SMS" };
      write(
        `sensor:${id}`,
        { info, reading: null, at: null, heardAt: harness.iso(), quality: "fresh" },
        change,
      );
    },
    controller(id, change = {}) {
      const info = { id, name: `Box ${id}`, serial: 200 };
      const plain = buildControllerValue({ info, heardAt: harness.iso() });
      write(`controller:${id}`, { ...plain }, change);
    },
    channel: (id, change = {}) => write(`channel:${id}`, { ...buildChannelValue() }, change),
    farm(id, sensorIds) {
      harness.state.set(`farm:${id}`, { info: { id, name: `Farm ${id}`, description: null, sensorIds } });
    },
    watering(change = {}) {
      const plain: Watering = {
        id: "w1",
        channelId: "11",
        cause: "person",
        by: null,
        start: harness.iso(),
        end: null,
        endReason: null,
        moistureBefore: null,
        moistureAfter: null,
        litres: null,
      };
      write(`watering:${change.id ?? plain.id}`, { ...plain }, { ...change });
    },
    command: (change) =>
      harness.state.event({
        kind: "command",
        at: harness.iso(),
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
      await harness.service.close();
      made().closes.close();
      raw.set(key, value);
      current.made = await make();
    },
    async restart(change = (_key, value) => ({ ...value, quality: null })) {
      await settle();
      const before = raw;
      await harness.service.close();
      made().closes.close();
      raw = createFakeWriter();
      current.made = await make();
      for (const key of before.keys()) {
        if (/^(alarm|watering):/.test(key)) continue;
        const value = before.get(key);
        if (value) harness.state.set(key, key.startsWith("farm:") ? value : change(key, value));
      }
      harness.state.emit("listsRead");
    },
  };
  current.made = await make();
  return harness;
}
