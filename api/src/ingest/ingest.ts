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
import type { InMessage } from "../devices/broker.ts";
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
import { type Batcher, createBatcher } from "./batcher.ts";
import { ChannelOrder, type JudgedReport } from "./channel-order.ts";
import { createDeadLetters, type DeadLetters, type SetAside } from "./dead-letters.ts";
import { DeviceClocks, type JudgedTime } from "./device-clocks.ts";
import { createKnocks, type Knocks } from "./knocks.ts";
import { readLatestStored, type Said, saidByReading } from "./latest-stored.ts";
import type { Profiles } from "./lorawan/load-profiles.ts";
import { parseUplinkTopic } from "./lorawan/topics.ts";
import { createUplinks, type Uplinks } from "./lorawan/uplink-handler.ts";
import { createOutputs, type Outputs } from "./outputs.ts";
import { storeArrived } from "./reading-store.ts";
import { Repetitions } from "./repetitions.ts";
import { isPossibleEnd, RunEnds } from "./run-ends.ts";

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

/**
 * Stores devices' messages and sends the results to the relay.
 *
 * | a message | becomes | when |
 * | --- | --- | --- |
 * | arrived | set aside | its topic, its device or its content is not known; it is acknowledged |
 * | arrived | ignored | it has no news: a repetition, or a copy that the broker retained of what is stored |
 * | arrived | waiting | it has a number of arrival and a judged time, and is added to the next batch |
 * | waiting | stored | the batch is written: listeners and the relay get it, and it is acknowledged |
 * | waiting | set aside | its row can never be stored; it is acknowledged once its letter is stored |
 * | waiting | sent again | any other failure, which its caller gets (KEEP-1) |
 *
 * A report that contradicts the last one of its channel also has the controller asked; {@link settle} counts it if no
 * answer comes (ORD-5).
 */
export class Ingest {
  readonly links: DeviceLinks;
  readonly deadLetters: DeadLetters;
  /** Connection attempts of unregistered devices. */
  readonly knocks: Knocks;
  readonly outputs: Outputs;
  readonly #deps: IngestDeps;
  readonly #repetitions = new Repetitions();
  readonly #arrivals = createArrivalTimes();
  readonly #numbers = new ArrivalNumbers();
  readonly #clocks: DeviceClocks;
  /** Bounded by the registered devices. */
  readonly #forms = new Map<string, ZonelessForm>();
  readonly #ends = new RunEnds();
  readonly #channels = new ChannelOrder();
  /** Bounded by the registered sensors. */
  readonly #accepted = new Map<string, LatestReading>();
  readonly #listeners: ReadingListener[] = [];
  readonly #askers: ((device: KnownDevice, number: number) => void)[] = [];
  readonly #refusals: ((error: unknown) => void)[] = [];
  readonly #readings: Batcher<Reading>;
  readonly #reports: Batcher<ReceivedReport>;
  readonly #uplinks: Uplinks;

  constructor(deps: IngestDeps) {
    const { database, deviceIndex, profiles, clock, timers, logger } = deps;
    this.#deps = deps;
    this.outputs = createOutputs(deps.zone, logger);
    this.deadLetters = createDeadLetters(database, timers, logger);
    this.knocks = createKnocks(deviceIndex, clock);
    this.links = createDeviceLinks(database);
    this.#clocks = new DeviceClocks(database);
    this.#readings = createBatcher<Reading>(
      (batch) => this.#noting(() => this.#writeReadings(batch)),
      failureOf,
      timers,
    );
    this.#reports = createBatcher<ReceivedReport>(
      (batch) => this.#noting(() => this.#writeReports(batch)),
      failureOf,
      timers,
    );
    this.#uplinks = createUplinks({
      deviceIndex,
      profiles,
      setAside: (...letter) => this.#setAside(...letter),
      knocks: this.knocks,
      keep: (reading, time, message) => this.#keepUplink(reading, time, message),
    });
  }

  /** Continue the stored order of arrival. Call it before the first message. */
  async load(): Promise<void> {
    const { database, clock } = this.#deps;
    const latest = await readLatestStored(database);
    this.#repetitions.load(latest, { now: clock.now(), monotonic: clock.monotonic() });
    await Promise.all([
      this.links.load(),
      this.#numbers.load(database),
      this.#clocks.load(latest),
      this.#channels.load(database),
    ]);
  }

  /** Resolve once the message is stored or rejected permanently; reject during a database outage. */
  handle(message: InMessage): Promise<void> {
    const device = this.#deps.deviceIndex.bySerial(Number(parseDeviceTopic(message.topic)?.serial));
    return this.#storeOrSetAside(message, device, () => this.#dispatch(message));
  }

  /**
   * Store a driver's report about valves that do not use the project's own topics. Resolve and reject as
   * `handle`.
   */
  report(received: DriverReport): Promise<void> {
    const { deviceIndex, clock } = this.#deps;
    const { retained, heardAt, ...content } = received;
    const device = deviceIndex.byId(received.deviceId);
    const message = {
      topic: topic.channelState(device?.serial ?? 0, received.number),
      payload: Buffer.from(JSON.stringify(received)),
    };
    const now = clock.now();
    const isLive = !retained && heardAt !== null;
    const at = isLive ? now : null;
    const report = {
      ...content,
      heardAt,
      at,
      isLive,
      arrival: this.#numbers.next(now),
      clockWrongSince: null,
    };
    return this.#storeOrSetAside(message, device, async () => {
      if (isLive || retained) return this.#keepReport({ report, ownAt: null });
      const repeated = this.#channels.repeat(report);
      if (repeated) await this.#reports.add(repeated);
    });
  }

  /** Store the reports that looked older, of controllers that were asked and did not answer (ORD-5). */
  async settle(): Promise<void> {
    const { clock } = this.#deps;
    const settled = this.#channels.settle(clock.monotonic());
    await Promise.all(
      // It was a contact when it arrived, and is none now.
      settled.map((report) =>
        this.#reports
          .add({ ...report, isLive: false, arrival: this.#numbers.next(clock.now()) })
          .catch((error: unknown) => {
            // The outage itself was reported with the batch.
            if (failureOf(error) === "row") throw error;
            this.#channels.unsettle(report, clock.monotonic());
          }),
      ),
    );
  }

  /** Store that such a device went online or offline. */
  line(device: KnownDevice, online: boolean): Promise<void> {
    return this.#handleOnline(device, online, this.#deps.clock.now());
  }

  /** Record that a registered device was refused a message or a connection. */
  refused(message: Pick<InMessage, "topic" | "payload">, serial: number, reason: RejectReason): void {
    const device = this.#deps.deviceIndex.bySerial(serial);
    if (device) this.#setAside(message, reason, { device });
  }

  /** Return the number of network server messages with nothing to store, by kind. */
  ignored(): Readonly<Record<string, number>> {
    return this.#uplinks.ignored();
  }

  /** The newest accepted values of a sensor since the start of this process, stored or not. */
  newest(sensorId: string): LatestReading | undefined {
    return this.#accepted.get(sensorId);
  }

  /** Return what a device's own clock says now, ms since 1970 UTC; null where its reports state no time. */
  clockOf(deviceId: string): number | null {
    return this.#clocks.now(deviceId, this.#deps.clock.monotonic());
  }

  /** Add a listener for stored readings. */
  onContacts(listener: ReadingListener): void {
    this.#listeners.push(listener);
  }

  /** Add a listener for channels whose reports contradict each other: their controllers are to be asked. */
  whenContested(listener: (device: KnownDevice, number: number) => void): void {
    this.#askers.push(listener);
  }

  /** True for a channel whose reports left its state unknown, also before the start of this process. */
  isUnknown(deviceId: string, number: number): boolean {
    return this.#channels.isUnknown(deviceId, number);
  }

  /** Add a listener for batches that failed for a reason other than their content. */
  whenRefused(listener: (error: unknown) => void): void {
    this.#refusals.push(listener);
  }

  async stop(): Promise<void> {
    await this.#readings.drain();
    await this.#reports.drain();
    await this.deadLetters.stop();
  }

  #notifyListeners(batch: Parameters<ReadingListener>[0]): void {
    for (const listener of this.#listeners) listener(batch);
  }

  async #noting(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (failureOf(error) !== "row") for (const listener of this.#refusals) listener(error);
      throw error;
    }
  }

  async #writeReadings(batch: readonly Reading[]): Promise<void> {
    const { database, deviceIndex, wrote } = this.#deps;
    const fresh = await storeArrived(database, batch);
    wrote(fresh.length);
    this.#notifyListeners(fresh.flatMap(contactOfReading));
    for (const reading of fresh) {
      const device = deviceIndex.byId(reading.sensorId);
      if (device) this.outputs.reading(device, reading);
    }
  }

  async #writeReports(batch: readonly ReceivedReport[]): Promise<void> {
    const { database, deviceIndex, wrote } = this.#deps;
    await storeReports(database, batch);
    wrote(batch.length);
    this.#notifyListeners(batch.flatMap(contactOfReport));
    for (const { channelId, deviceId } of await finishModes(database, batch.flatMap(finishedIn))) {
      const device = deviceIndex.byId(deviceId);
      if (device) this.outputs.changed(device.accountId, "channel", channelId);
    }
    for (const [deviceId, own] of Map.groupBy(batch, (report) => report.deviceId)) {
      const live = own.filter(({ isLive, heardAt }) => isLive && heardAt !== null);
      const numbersOf = live.map(({ number }) => number);
      const newest = Math.max(...live.map(({ arrival }) => arrival));
      const flipped = live.length > 0 && this.links.received(deviceId, numbersOf, newest);
      const device = deviceIndex.byId(deviceId);
      if (device)
        await this.#sendChannels(device, new Map(own.map((report) => [report.number, report])), flipped);
    }
  }

  /** @param reported the channels that the device has just reported; @param all also send the others */
  async #sendChannels(
    device: KnownDevice,
    reported: ReadonlyMap<number, ReceivedReport>,
    all: boolean,
  ): Promise<void> {
    const { database, clock } = this.#deps;
    for (const stored of await readChannels(database, device.id, clock.now())) {
      const report = reported.get(stored.number);
      if (!report && !all) continue;
      const channel = device.channels.find(({ number }) => number === stored.number);
      const isLive = report?.isLive === true;
      if (channel) {
        const link = this.links.ofChannel(device.id, stored.number);
        this.outputs.channel(device, channel.key, stored, link, isLive);
      }
    }
  }

  #setAside(...[{ topic, payload }, reason, of = {}]: Parameters<SetAside>): void {
    const { field = null, device, serial, at = this.#deps.clock.now() } = of;
    this.deadLetters.add({
      at,
      topic,
      deviceId: device?.id ?? null,
      serial: device ? String(device.serial) : (serial ?? null),
      reason,
      field,
      payload,
    });
  }

  async #keep(reading: Reading): Promise<void> {
    const { sensorId } = reading;
    this.#accepted.set(sensorId, mergeLatest(this.#accepted.get(sensorId), reading));
    await this.#readings.add(reading);
  }

  async #keepUplink(reading: Omit<Reading, "at">, time: StatedTime, message: InMessage): Promise<void> {
    const { clock } = this.#deps;
    const { sensorId, receivedAt } = reading;
    const arrival = this.#numbers.next(receivedAt);
    const monotonic = clock.monotonic();
    const judged = this.#clocks.judge(sensorId, time, { receivedAt, monotonic }, null);
    const isBefore = this.#repetitions.isOfProcessBefore(
      sensorId,
      message,
      saidByReading(reading.fields),
      monotonic,
    );
    if (isBefore && judged.ownAt === null) return;
    const stored = {
      ...{ ...reading, at: judged.at },
      ...arrivalOf(judged.isLive ? arrival : null),
      ...clockOf(judged.wrongSince),
    };
    await Promise.all([this.#keep(stored), this.#clocks.save(sensorId)]);
  }

  /** Judge the time of a device's own message; a time that is not believed is set aside, the rest is stored. */
  #judgeTime(
    device: KnownDevice,
    time: StatedTime,
    message: InMessage,
    receivedAt: number,
    said: Said,
  ): JudgedTime {
    if (time.kind === "unbelievable") {
      const { reason, field = "at" } = time;
      this.#setAside(message, reason, { device, at: receivedAt, field });
    }
    const judged = this.#clocks.judge(
      device.id,
      time,
      { receivedAt, monotonic: this.#deps.clock.monotonic() },
      said,
    );
    // A clock that looks wrong may be one that was set to another zone.
    if (judged.wrongSince !== null) this.#forms.delete(device.id);
    else if (time.kind === "stated" && time.form) this.#forms.set(device.id, time.form);
    return judged;
  }

  async #handleReading(device: KnownDevice, message: InMessage, receivedAt: number): Promise<void> {
    const from = { device, at: receivedAt };
    const decoded = decodeNative(
      message.payload,
      device.type,
      receivedAt,
      this.#deps.zone,
      this.#forms.get(device.id),
    );
    for (const { field, reason } of decoded.faults) this.#setAside(message, reason, { ...from, field });
    if (!decoded.ok) return this.#setAside(message, decoded.reason, from);
    const { time, fwversion, rssi, fields } = decoded;
    const reading = { sensorId: device.id, receivedAt, fwversion, rssi, fields };
    if (message.retained) {
      // Without a believable time the broker's copy shows neither when it was measured nor that it is new.
      if (time.kind !== "stated") return this.#setAside(message, "bad-time", { ...from, field: "at" });
      return this.#keep({ ...reading, at: time.at });
    }
    const arrival = this.#numbers.next(receivedAt);
    const said = saidByReading(fields);
    const judged = this.#judgeTime(device, time, message, receivedAt, said);
    const isTimeless = judged.ownAt === null;
    const { payload } = message;
    if (
      this.#repetitions.isRepetition(
        device.id,
        payload,
        message,
        said,
        isTimeless,
        this.#deps.clock.monotonic(),
      )
    )
      return;
    try {
      const at = isTimeless
        ? this.#arrivals.next(device.id, receivedAt, this.#accepted.get(device.id)?.at)
        : judged.at;
      const stored = {
        ...{ ...reading, at },
        ...arrivalOf(judged.isLive ? arrival : null),
        ...clockOf(judged.wrongSince),
        ...(isTimeless && ({ isDatedByArrival: true } as const)),
      };
      // No message may overtake another one between its number and its batch.
      await Promise.all([this.#keep(stored), this.#clocks.save(device.id)]);
    } catch (error) {
      this.#repetitions.forget(device.id, message.payload);
      throw error;
    }
  }

  async #handleReport(
    device: KnownDevice,
    number: number,
    message: InMessage,
    receivedAt: number,
  ): Promise<void> {
    if (!device.channels.some((channel) => channel.number === number)) {
      return this.#setAside(message, "unknown-channel", { device });
    }
    const decoded = decodeChannelState(
      message.payload,
      receivedAt,
      this.#deps.zone,
      this.#forms.get(device.id),
    );
    if (!decoded.ok) return this.#setAside(message, decoded.reason, { device, field: decoded.field });
    const { content, end } = decoded;
    const report = { ...content, deviceId: device.id, number, arrival: this.#numbers.next(receivedAt) };
    if (message.retained) {
      // The broker's copy counts at its own time; without a believable one it is no contact (ORD-4).
      const isBelieved = decoded.time.kind === "stated" && this.#clocks.wrongSince(device.id) === null;
      const at = decoded.time.kind === "stated" && isBelieved ? Math.min(receivedAt, decoded.time.at) : null;
      const runUntil = this.#retainedEnd(device, end, at);
      const stored = { ...report, runUntil, at, heardAt: at, isLive: false, clockWrongSince: null };
      return this.#keepReport({ report: stored, ownAt: at });
    }
    const said = { source: `${number}`, content: JSON.stringify([content, end?.text]) };
    const time = timeOf(decoded, receivedAt);
    const { at, ownAt, wrongSince } = this.#judgeTime(device, time, message, receivedAt, said);
    const isBelieved = ownAt !== null || time.kind === "absent" || time.kind === "ambiguous";
    const run = content.onoff === VALVE_OFF ? null : end;
    const runUntil = this.#ends.place(`${device.id} ${number}`, run, { receivedAt, isBelieved, ownAt });
    if (run !== null && runUntil === null && time === decoded.time)
      this.#setAside(message, "bad-time", { device, at: receivedAt, field: "runUntil" });
    const stored = {
      ...report,
      runUntil,
      at,
      heardAt: receivedAt,
      isLive: true,
      clockWrongSince: wrongSince,
    };
    await Promise.all([this.#keepReport({ report: stored, ownAt }), this.#clocks.save(device.id)]);
  }

  /** Return the end of a retained report's run; null where its device's clock is wrong by an unknown time. */
  #retainedEnd(device: KnownDevice, end: StatedEnd | null, at: number | null): number | null {
    const offset =
      at !== null || this.#clocks.wrongSince(device.id) === null ? 0 : this.#clocks.offset(device.id);
    if (end === null || end.at === null || offset === null) return null;
    const derived = at !== null && end.left !== null ? at + end.left : end.at + offset;
    return isPossibleEnd(derived, at ?? this.#deps.clock.now()) ? derived : null;
  }

  async #keepReport(judged: JudgedReport): Promise<void> {
    const verdict = this.#channels.judge(judged, this.#deps.clock.monotonic());
    switch (verdict.kind) {
      case "nothing":
        return;
      case "news":
        return this.#reports.add(verdict.report);
      case "contested": {
        const { deviceId, number } = verdict.report;
        this.#deps.logger.warn(
          { event: "valve-contested", deviceId, number },
          "valve reports contradict; asking controller",
        );
        // First: the answer must come also where this report cannot be stored now.
        const device = this.#deps.deviceIndex.byId(deviceId);
        if (device) for (const ask of this.#askers) ask(device, number);
        await this.#reports.add(verdict.report);
      }
    }
  }

  async #handleStatus(device: KnownDevice, message: InMessage, receivedAt: number): Promise<void> {
    const online = readStatus(message.payload);
    if (online === null) return this.#setAside(message, "wrong-type", { device });
    // A retained word is the broker's last one: the device of an `online` may have gone with the broker (ORD-4).
    if (message.retained && online) return;
    await this.#handleOnline(device, online, receivedAt);
  }

  async #handleOnline(device: KnownDevice, online: boolean, at: number): Promise<void> {
    if (await this.links.reported(device.id, online, at, this.#numbers.next(at)))
      await this.#sendChannels(device, new Map(), true);
  }

  async #dispatch(message: InMessage): Promise<void> {
    const parsed = parseDeviceTopic(message.topic);
    if (!parsed) {
      const uplink = parseUplinkTopic(message.topic);
      return uplink
        ? this.#uplinks.handle(uplink, message, this.#deps.clock.now())
        : this.#setAside(message, "unknown-topic");
    }
    const device = this.#deps.deviceIndex.bySerial(Number(parsed.serial));
    if (!device) {
      this.knocks.add("serial", parsed.serial);
      return this.#setAside(message, "unknown-serial", { serial: parsed.serial });
    }
    const receivedAt = this.#deps.clock.now();
    switch (parsed.kind) {
      case "up":
        if (device.kind === "controller") return this.#setAside(message, "unknown-topic", { device });
        return this.#handleReading(device, message, receivedAt);
      case "state":
        return this.#handleReport(device, parsed.number, message, receivedAt);
      case "status":
        return this.#handleStatus(device, message, receivedAt);
    }
  }

  /**
   * Run the work of a message. If its row can never be stored, resolve once the message is in the dead-letter
   * log; otherwise its sender would repeat it forever. Every other failure is the caller's (KEEP-1).
   */
  async #storeOrSetAside(
    { topic, payload }: Pick<InMessage, "topic" | "payload">,
    device: KnownDevice | undefined,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (failureOf(error) !== "row") throw error;
      await this.deadLetters.store({
        at: this.#deps.clock.now(),
        topic,
        deviceId: device?.id ?? null,
        serial: device ? String(device.serial) : null,
        reason: "not-storable",
        field: null,
        payload,
      });
      this.#deps.logger.error({ event: "message-store-failed", err: error, topic }, "cannot store message");
    }
  }
}
