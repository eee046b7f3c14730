import { parseDeviceTopic, topic } from "@mulkko/shared/mqtt/topics";
import type { RejectReason } from "@mulkko/shared/rest/dead-letter";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { VALVE_OFF } from "@mulkko/shared/rules/valve";
import type { FastifyBaseLogger } from "fastify";
import { type Database, failureOf } from "../database/database.ts";
import { type DecodedState, decodeChannelState } from "../decode/channel-state.ts";
import type { StatedEnd, StatedTime, ZonelessForm } from "../decode/message-time.ts";
import { decodeNative } from "../decode/native.ts";
import { readStatus } from "../decode/status-word.ts";
import type { HandleMessage, InMessage } from "../devices/broker.ts";
import type { DeviceIndex, KnownDevice } from "../devices/device-index.ts";
import { createDeviceLinks, type DeviceLinks } from "../devices/device-links.ts";
import {
  contactOfReading,
  contactOfReport,
  type DriverReport,
  type ReadingListener,
  type ReceivedReport,
} from "../devices/received.ts";
import { arrivalOf, clockOf, type LatestReading, mergeLatest, type Reading } from "../history/reading.ts";
import { readChannels, storeReports } from "../valves/channel-store.ts";
import { type FinishedMode, finishModes } from "../valves/modes/repository.ts";
import { ArrivalNumbers } from "./arrival-numbers.ts";
import { createArrivalTimes } from "./arrival-times.ts";
import { createBatcher } from "./batcher.ts";
import { ChannelOrder, type JudgedReport } from "./channel-order.ts";
import { createDeadLetters, type DeadLetters, type SetAside } from "./dead-letters.ts";
import { DeviceClocks, type JudgedTime } from "./device-clocks.ts";
import { createKnocks, type Knocks } from "./knocks.ts";
import { readLatestStored, type Said, saidByReading } from "./latest-stored.ts";
import type { Profiles } from "./lorawan/load-profiles.ts";
import { parseUplinkTopic } from "./lorawan/topics.ts";
import { createUplinks } from "./lorawan/uplink-handler.ts";
import { createOutputs, type Outputs } from "./outputs.ts";
import { storeArrived } from "./reading-store.ts";
import { Repetitions } from "./repetitions.ts";
import { isPossibleEnd, RunEnds } from "./run-ends.ts";

/** Store devices' messages and send the results to the relay. */
export interface Ingest {
  /** Resolve once the message is stored or rejected permanently; reject during a database outage. */
  readonly handle: HandleMessage;
  /** Continue the stored order of arrival. Call it before the first message. */
  load(): Promise<void>;
  /**
   * Store a driver's report about valves that do not use the project's own topics. Resolve and reject as
   * `handle`.
   */
  report(report: DriverReport): Promise<void>;
  /** Store the reports that looked older, of controllers that were asked and did not answer (ORD-5). */
  settle(): Promise<void>;
  /** Store that such a device went online or offline. */
  line(device: KnownDevice, online: boolean): Promise<void>;
  readonly links: DeviceLinks;
  readonly deadLetters: DeadLetters;
  /** Connection attempts of unregistered devices. */
  readonly knocks: Knocks;
  /** Record that a registered device was refused a message or a connection. */
  refused(message: Pick<InMessage, "topic" | "payload">, serial: number, reason: RejectReason): void;
  readonly outputs: Outputs;
  /** Return the number of network server messages with nothing to store, by kind. */
  ignored(): Readonly<Record<string, number>>;
  /** The newest accepted values of a sensor since the start of this process, stored or not. */
  newest(sensorId: string): LatestReading | undefined;
  /** Return what a device's own clock says now, ms since 1970 UTC; null where its reports state no time. */
  clockOf(deviceId: string): number | null;
  /** Add a listener for stored readings. */
  onContacts(listener: ReadingListener): void;
  /** Add a listener for channels whose reports contradict each other: their controllers are to be asked. */
  whenContested(listener: (device: KnownDevice, number: number) => void): void;
  /** True for a channel whose reports left its state unknown, also before the start of this process. */
  isUnknown(deviceId: string, number: number): boolean;
  /** Add a listener for batches that failed for a reason other than their content. */
  whenRefused(listener: (error: unknown) => void): void;
  stop(): Promise<void>;
}

export interface IngestDeps {
  readonly database: Database;
  readonly deviceIndex: DeviceIndex;
  /** Decoders for messages of network servers. */
  readonly profiles: Profiles;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: FastifyBaseLogger;
  /** Called with the number of written rows. */
  readonly wrote: (rows: number) => void;
}

/**
 * Return the mode that a report shows as finished: all flags are clear, and the report names the mode's
 * revision.
 */
function finishedIn({ deviceId, number, modes }: ReceivedReport): FinishedMode[] {
  const { modeRevision: revision, automatic, reservation, period } = modes;
  const isDone = automatic === 0 && reservation === 0 && period === 0;
  return isDone && typeof revision === "number" ? [{ deviceId, number, revision }] : [];
}

/** Return the time of a report. The end of a run alone may show that the device's clock is wrong (ORD-7). */
function timeOf({ time, end, content }: DecodedState, receivedAt: number): StatedTime {
  const isWrong =
    time.kind === "absent" &&
    content.onoff !== VALVE_OFF &&
    end !== null &&
    (end.at === null || !isPossibleEnd(end.at, receivedAt));
  return isWrong ? { kind: "unbelievable", reason: "bad-time", field: "runUntil" } : time;
}

export function createIngest(deps: IngestDeps): Ingest {
  const { database, deviceIndex, clock, timers, logger } = deps;
  const outputs = createOutputs(deps.zone, logger);
  const deadLetters = createDeadLetters(database, timers, logger);
  const knocks = createKnocks(deviceIndex, clock);
  const links = createDeviceLinks(database);
  const repetitions = new Repetitions();
  const arrivals = createArrivalTimes();
  const numbers = new ArrivalNumbers();
  const clocks = new DeviceClocks(database);
  // Bounded by the registered devices.
  const forms = new Map<string, ZonelessForm>();
  const ends = new RunEnds();
  const channels = new ChannelOrder();
  // Bounded by the registered sensors.
  const accepted = new Map<string, LatestReading>();

  const listeners: ReadingListener[] = [];
  const notifyListeners: ReadingListener = (batch) => {
    for (const listener of listeners) listener(batch);
  };

  const askers: ((device: KnownDevice, number: number) => void)[] = [];
  const refusals: ((error: unknown) => void)[] = [];
  const noting =
    <T>(write: (batch: readonly T[]) => Promise<void>) =>
    async (batch: readonly T[]): Promise<void> => {
      try {
        await write(batch);
      } catch (error) {
        if (failureOf(error) !== "row") for (const listener of refusals) listener(error);
        throw error;
      }
    };

  const readings = createBatcher<Reading>(
    noting(async (batch) => {
      const fresh = await storeArrived(database, batch);
      deps.wrote(fresh.length);
      notifyListeners(fresh.flatMap(contactOfReading));
      for (const reading of fresh) {
        const device = deviceIndex.byId(reading.sensorId);
        if (device) outputs.reading(device, reading);
      }
    }),
    failureOf,
    timers,
  );

  /** @param reported the channels that the device has just reported; @param all also send the others */
  async function sendChannels(
    device: KnownDevice,
    reported: ReadonlyMap<number, ReceivedReport>,
    all: boolean,
  ): Promise<void> {
    for (const stored of await readChannels(database, device.id, clock.now())) {
      const report = reported.get(stored.number);
      if (!report && !all) continue;
      const channel = device.channels.find(({ number }) => number === stored.number);
      const isLive = report?.isLive === true;
      if (channel)
        outputs.channel(device, channel.key, stored, links.ofChannel(device.id, stored.number), isLive);
    }
  }

  const reports = createBatcher<ReceivedReport>(
    noting(async (batch) => {
      await storeReports(database, batch);
      deps.wrote(batch.length);
      notifyListeners(batch.flatMap(contactOfReport));
      for (const { channelId, deviceId } of await finishModes(database, batch.flatMap(finishedIn))) {
        const device = deviceIndex.byId(deviceId);
        if (device) outputs.changed(device.accountId, "channel", channelId);
      }
      for (const [deviceId, own] of Map.groupBy(batch, (report) => report.deviceId)) {
        const live = own.filter(({ isLive, heardAt }) => isLive && heardAt !== null);
        const numbersOf = live.map(({ number }) => number);
        const newest = Math.max(...live.map(({ arrival }) => arrival));
        const flipped = live.length > 0 && links.received(deviceId, numbersOf, newest);
        const device = deviceIndex.byId(deviceId);
        if (device)
          await sendChannels(device, new Map(own.map((report) => [report.number, report])), flipped);
      }
    }),
    failureOf,
    timers,
  );

  const setAside: SetAside = (
    { topic, payload },
    reason,
    { field = null, device, serial, at = clock.now() } = {},
  ) =>
    deadLetters.add({
      at,
      topic,
      deviceId: device?.id ?? null,
      serial: device ? String(device.serial) : (serial ?? null),
      reason,
      field,
      payload,
    });

  async function keep(reading: Reading): Promise<void> {
    const { sensorId } = reading;
    accepted.set(sensorId, mergeLatest(accepted.get(sensorId), reading));
    await readings.add(reading);
  }
  const keepUplink = async (reading: Omit<Reading, "at">, time: StatedTime): Promise<void> => {
    const { sensorId, receivedAt } = reading;
    const arrival = numbers.next(receivedAt);
    const judged = clocks.judge(sensorId, time, { receivedAt, monotonic: clock.monotonic() }, null);
    const stored = {
      ...{ ...reading, at: judged.at },
      ...arrivalOf(judged.isLive ? arrival : null),
      ...clockOf(judged.wrongSince),
    };
    await Promise.all([keep(stored), clocks.save(sensorId)]);
  };
  const uplinks = createUplinks({ deviceIndex, profiles: deps.profiles, setAside, knocks, keep: keepUplink });

  /** Judge the time of a device's own message; a time that is not believed is set aside, the rest is stored. */
  function judgeTime(
    device: KnownDevice,
    time: StatedTime,
    message: InMessage,
    receivedAt: number,
    said: Said,
  ): JudgedTime {
    if (time.kind === "unbelievable") {
      const { reason, field = "at" } = time;
      setAside(message, reason, { device, at: receivedAt, field });
    }
    const judged = clocks.judge(device.id, time, { receivedAt, monotonic: clock.monotonic() }, said);
    // A clock that looks wrong may be one that was set to another zone.
    if (judged.wrongSince !== null) forms.delete(device.id);
    else if (time.kind === "stated" && time.form) forms.set(device.id, time.form);
    return judged;
  }

  async function handleReading(device: KnownDevice, message: InMessage, receivedAt: number): Promise<void> {
    const from = { device, at: receivedAt };
    const decoded = decodeNative(message.payload, device.type, receivedAt, deps.zone, forms.get(device.id));
    for (const { field, reason } of decoded.faults) setAside(message, reason, { ...from, field });
    if (!decoded.ok) return setAside(message, decoded.reason, from);
    const { time, fwversion, rssi, fields } = decoded;
    const reading = { sensorId: device.id, receivedAt, fwversion, rssi, fields };
    if (message.retained) {
      // Without a believable time the broker's copy shows neither when it was measured nor that it is new.
      if (time.kind !== "stated") return setAside(message, "bad-time", { ...from, field: "at" });
      return keep({ ...reading, at: time.at });
    }
    const arrival = numbers.next(receivedAt);
    const said = saidByReading(fields);
    const judged = judgeTime(device, time, message, receivedAt, said);
    const isTimeless = judged.ownAt === null;
    const { payload } = message;
    if (repetitions.isRepetition(device.id, payload, message, said, isTimeless, clock.monotonic())) return;
    try {
      const at = isTimeless ? arrivals.next(device.id, receivedAt, accepted.get(device.id)?.at) : judged.at;
      const stored = {
        ...{ ...reading, at },
        ...arrivalOf(judged.isLive ? arrival : null),
        ...clockOf(judged.wrongSince),
        ...(isTimeless && ({ isDatedByArrival: true } as const)),
      };
      // No message may overtake another one between its number and its batch.
      await Promise.all([keep(stored), clocks.save(device.id)]);
    } catch (error) {
      repetitions.forget(device.id, message.payload);
      throw error;
    }
  }

  async function handleReport(
    device: KnownDevice,
    number: number,
    message: InMessage,
    receivedAt: number,
  ): Promise<void> {
    if (!device.channels.some((channel) => channel.number === number)) {
      return setAside(message, "unknown-channel", { device });
    }
    const decoded = decodeChannelState(message.payload, receivedAt, deps.zone, forms.get(device.id));
    if (!decoded.ok) return setAside(message, decoded.reason, { device, field: decoded.field });
    const { content, end } = decoded;
    const report = { ...content, deviceId: device.id, number, arrival: numbers.next(receivedAt) };
    if (message.retained) {
      // The broker's copy counts at its own time; without a believable one it is no contact (ORD-4).
      const isBelieved = decoded.time.kind === "stated" && clocks.wrongSince(device.id) === null;
      const at = decoded.time.kind === "stated" && isBelieved ? Math.min(receivedAt, decoded.time.at) : null;
      const runUntil = retainedEnd(device, end, at);
      const stored = { ...report, runUntil, at, heardAt: at, isLive: false, clockWrongSince: null };
      return keepReport({ report: stored, ownAt: at });
    }
    const said = { source: `${number}`, content: JSON.stringify([content, end?.text]) };
    const time = timeOf(decoded, receivedAt);
    const { at, ownAt, wrongSince } = judgeTime(device, time, message, receivedAt, said);
    const isBelieved = ownAt !== null || time.kind === "absent" || time.kind === "ambiguous";
    const run = content.onoff === VALVE_OFF ? null : end;
    const runUntil = ends.place(`${device.id} ${number}`, run, { receivedAt, isBelieved, ownAt });
    if (run !== null && runUntil === null && time === decoded.time)
      setAside(message, "bad-time", { device, at: receivedAt, field: "runUntil" });
    const stored = {
      ...report,
      runUntil,
      at,
      heardAt: receivedAt,
      isLive: true,
      clockWrongSince: wrongSince,
    };
    await Promise.all([keepReport({ report: stored, ownAt }), clocks.save(device.id)]);
  }

  /** Return the end of a retained report's run; null where its device's clock is wrong by an unknown time. */
  function retainedEnd(device: KnownDevice, end: StatedEnd | null, at: number | null): number | null {
    const offset = at !== null || clocks.wrongSince(device.id) === null ? 0 : clocks.offset(device.id);
    if (end === null || end.at === null || offset === null) return null;
    const derived = at !== null && end.left !== null ? at + end.left : end.at + offset;
    return isPossibleEnd(derived, at ?? clock.now()) ? derived : null;
  }

  async function keepReport(judged: JudgedReport): Promise<void> {
    const verdict = channels.judge(judged, clock.monotonic());
    switch (verdict.kind) {
      case "nothing":
        return;
      case "news":
        return reports.add(verdict.report);
      case "contested": {
        const { deviceId, number } = verdict.report;
        logger.warn(
          { event: "valve-contested", deviceId, number },
          "valve reports contradict; asking controller",
        );
        // First: the answer must come also where this report cannot be stored now.
        const device = deviceIndex.byId(deviceId);
        if (device) for (const ask of askers) ask(device, number);
        await reports.add(verdict.report);
      }
    }
  }

  async function handleStatus(device: KnownDevice, message: InMessage, receivedAt: number): Promise<void> {
    const online = readStatus(message.payload);
    if (online === null) return setAside(message, "wrong-type", { device });
    // A retained word is the broker's last one: the device of an `online` may have gone with the broker (ORD-4).
    if (message.retained && online) return;
    await handleOnline(device, online, receivedAt);
  }

  async function handleOnline(device: KnownDevice, online: boolean, at: number): Promise<void> {
    if (await links.reported(device.id, online, at, numbers.next(at)))
      await sendChannels(device, new Map(), true);
  }

  async function dispatch(message: InMessage): Promise<void> {
    const parsed = parseDeviceTopic(message.topic);
    if (!parsed) {
      const uplink = parseUplinkTopic(message.topic);
      return uplink ? uplinks.handle(uplink, message, clock.now()) : setAside(message, "unknown-topic");
    }
    const device = deviceIndex.bySerial(Number(parsed.serial));
    if (!device) {
      knocks.add("serial", parsed.serial);
      return setAside(message, "unknown-serial", { serial: parsed.serial });
    }
    const receivedAt = clock.now();
    switch (parsed.kind) {
      case "up":
        if (device.kind === "controller") return setAside(message, "unknown-topic", { device });
        return handleReading(device, message, receivedAt);
      case "state":
        return handleReport(device, parsed.number, message, receivedAt);
      case "status":
        return handleStatus(device, message, receivedAt);
    }
  }

  /**
   * Run the work of a message. If its row can never be stored, resolve once the message is in the dead-letter
   * log; otherwise its sender would repeat it forever. Every other failure is the caller's (KEEP-1).
   */
  async function storeOrSetAside(
    { topic, payload }: Pick<InMessage, "topic" | "payload">,
    device: KnownDevice | undefined,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (failureOf(error) !== "row") throw error;
      await deadLetters.store({
        at: clock.now(),
        topic,
        deviceId: device?.id ?? null,
        serial: device ? String(device.serial) : null,
        reason: "not-storable",
        field: null,
        payload,
      });
      logger.error({ event: "message-store-failed", err: error, topic }, "cannot store message");
    }
  }

  return {
    async load() {
      const latest = await readLatestStored(database);
      repetitions.load(latest, { now: clock.now(), monotonic: clock.monotonic() });
      await Promise.all([links.load(), numbers.load(database), clocks.load(latest), channels.load(database)]);
    },
    report(received) {
      const { retained, heardAt, ...content } = received;
      const device = deviceIndex.byId(received.deviceId);
      const message = {
        topic: topic.channelState(device?.serial ?? 0, received.number),
        payload: Buffer.from(JSON.stringify(received)),
      };
      const now = clock.now();
      const isLive = !retained && heardAt !== null;
      const at = isLive ? now : null;
      const report = { ...content, heardAt, at, isLive, arrival: numbers.next(now), clockWrongSince: null };
      return storeOrSetAside(message, device, async () => {
        if (isLive || retained) return keepReport({ report, ownAt: null });
        const repeated = channels.repeat(report);
        if (repeated) await reports.add(repeated);
      });
    },
    async settle() {
      const settled = channels.settle(clock.monotonic());
      await Promise.all(
        // It was a contact when it arrived, and is none now.
        settled.map((report) =>
          reports
            .add({ ...report, isLive: false, arrival: numbers.next(clock.now()) })
            .catch((error: unknown) => {
              // The outage itself was reported with the batch.
              if (failureOf(error) === "row") throw error;
              channels.unsettle(report, clock.monotonic());
            }),
        ),
      );
    },
    line: (device, online) => handleOnline(device, online, clock.now()),
    links,
    deadLetters,
    knocks,
    refused(message, serial, reason) {
      const device = deviceIndex.bySerial(serial);
      if (device) setAside(message, reason, { device });
    },
    outputs,
    ignored: uplinks.ignored,
    clockOf: (deviceId) => clocks.now(deviceId, clock.monotonic()),
    newest: (sensorId) => accepted.get(sensorId),
    onContacts: (listener) => void listeners.push(listener),
    whenContested: (listener) => void askers.push(listener),
    isUnknown: (deviceId, number) => channels.isUnknown(deviceId, number),
    whenRefused: (listener) => void refusals.push(listener),
    handle(message) {
      const device = deviceIndex.bySerial(Number(parseDeviceTopic(message.topic)?.serial));
      return storeOrSetAside(message, device, () => dispatch(message));
    },
    async stop() {
      await readings.drain();
      await reports.drain();
      await deadLetters.stop();
    },
  };
}
