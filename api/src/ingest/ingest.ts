import { parseDeviceTopic } from "@mulkko/shared/mqtt/topics";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyBaseLogger } from "fastify";
import type { Broker, InMessage, TakeMessage } from "../broker/broker.ts";
import { type Database, DatabaseError } from "../database/database.ts";
import type { DeviceDirectory, KnownDevice } from "../devices/directory.ts";
import { type FinishedMode, finishModes } from "../modules/watering/repository.ts";
import type { Profiles } from "../uplinks/load-profiles.ts";
import { createUplinks } from "../uplinks/take-uplink.ts";
import { parseUplinkTopic } from "../uplinks/topics.ts";
import { createBatcher } from "./batcher.ts";
import { type HeardReport, readChannels, storeReports } from "./channel-store.ts";
import { createDeadLetters, type DeadLetters } from "./dead-letters.ts";
import { decodeChannelState } from "./decode/channel-state.ts";
import { decodeNative } from "./decode/native.ts";
import { createDeviceLinks, type DeviceLinks, linkOf } from "./device-links.ts";
import { createDuplicates } from "./duplicates.ts";
import { type HeardListener, heardReading, heardReport } from "./heard.ts";
import { createOutputs, type Outputs } from "./outputs.ts";
import type { Reading } from "./reading.ts";
import { storeReadings } from "./reading-store.ts";
import type { RejectReason } from "./reject-reason.ts";

/** The way of a device's message into the database and on to the relay. */
export interface Ingest {
  /** Resolves once the message is stored or set aside for good; rejects while the database is away. */
  readonly take: TakeMessage;
  /** Takes what a driver heard of valves that do not speak the project's own topics. */
  report(report: HeardReport): Promise<void>;
  /** Takes that such a device came or went. */
  line(device: KnownDevice, online: boolean): Promise<void>;
  readonly links: DeviceLinks;
  readonly deadLetters: DeadLetters;
  readonly outputs: Outputs;
  /** How many messages of network servers had nothing to store, by what they were. */
  ignored(): Readonly<Record<string, number>>;
  /** The newest accepted reading of a sensor, stored yet or not. */
  newest(sensorId: string): Reading | undefined;
  /** To be told of what was stored. */
  whenHeard(listener: HeardListener): void;
  /** To be told why a batch was not stored, though nothing was wrong with it. */
  whenRefused(listener: (error: unknown) => void): void;
  stop(): Promise<void>;
}

export interface IngestParts {
  readonly database: Database;
  readonly directory: DeviceDirectory;
  /** How messages of network servers are read. */
  readonly profiles: Profiles;
  readonly broker: () => Broker | undefined;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
  /** To be told how many rows were written. */
  readonly wrote: (rows: number) => void;
}

const STATUS_WORDS: Readonly<Record<string, boolean>> = { online: true, offline: false };

/** The mode that a report says is done: all flags are out, and it says of which putting in charge. */
function finishedIn({ deviceId, number, modes }: HeardReport): FinishedMode[] {
  const { modeRevision: revision, automatic, reservation, period } = modes;
  const isDone = automatic === 0 && reservation === 0 && period === 0;
  return isDone && typeof revision === "number" ? [{ deviceId, number, revision }] : [];
}

const isPoison = (error: unknown): boolean => error instanceof DatabaseError && !error.temporary;

export function createIngest(parts: IngestParts): Ingest {
  const { database, directory, clock, logger } = parts;
  const outputs = createOutputs(parts.broker, parts.zone, logger);
  const deadLetters = createDeadLetters(database, clock, logger);
  const links = createDeviceLinks(database);
  const duplicates = createDuplicates();
  // Bounded by the sensors that are registered here.
  const accepted = new Map<string, Reading>();

  const listeners: HeardListener[] = [];
  const tellHeard: HeardListener = (batch) => {
    for (const listener of listeners) listener(batch);
  };

  const refusals: ((error: unknown) => void)[] = [];
  const noting =
    <T>(write: (batch: readonly T[]) => Promise<void>) =>
    async (batch: readonly T[]): Promise<void> => {
      try {
        await write(batch);
      } catch (error) {
        if (!isPoison(error)) for (const listener of refusals) listener(error);
        throw error;
      }
    };

  const readings = createBatcher<Reading>(
    noting(async (batch) => {
      const fresh = await storeReadings(database, batch);
      parts.wrote(fresh.length);
      tellHeard(fresh.map(heardReading));
      for (const reading of fresh) {
        const device = directory.byId(reading.sensorId);
        if (device) outputs.reading(device, reading);
      }
    }),
    isPoison,
  );

  async function tellChannels(device: KnownDevice, numbers?: ReadonlySet<number>): Promise<void> {
    for (const stored of await readChannels(database, device.id, clock.now())) {
      if (numbers && !numbers.has(stored.number)) continue;
      const channel = device.channels.find(({ number }) => number === stored.number);
      if (channel) outputs.channel(device, channel.key, stored, linkOf(links.of(device.id)));
    }
  }

  const reports = createBatcher<HeardReport>(
    noting(async (batch) => {
      await storeReports(database, batch);
      parts.wrote(batch.length);
      tellHeard(batch.map(heardReport));
      for (const { channelId, deviceId } of await finishModes(database, batch.flatMap(finishedIn))) {
        const device = directory.byId(deviceId);
        if (device) outputs.changed(device.accountId, "channel", channelId);
      }
      for (const [deviceId, own] of Map.groupBy(batch, (report) => report.deviceId)) {
        const flipped = links.heard(deviceId, Math.max(...own.map((report) => report.heardAt)));
        const device = directory.byId(deviceId);
        if (device)
          await tellChannels(device, flipped ? undefined : new Set(own.map(({ number }) => number)));
      }
    }),
    isPoison,
  );

  const setAside = (
    message: InMessage,
    reason: RejectReason,
    field: string | null = null,
    serial: string | null = null,
  ): void => deadLetters.add({ topic: message.topic, serial, reason, field, payload: message.payload });

  async function keep(reading: Reading): Promise<void> {
    const { sensorId, at } = reading;
    if (at >= (accepted.get(sensorId)?.at ?? 0)) accepted.set(sensorId, reading);
    await readings.add(reading);
  }
  const uplinks = createUplinks({ directory, profiles: parts.profiles, setAside, keep });

  async function takeReading(device: KnownDevice, message: InMessage, receivedAt: number): Promise<void> {
    const serial = String(device.serial);
    const decoded = decodeNative(message.payload, device.type, receivedAt);
    for (const { field, reason } of decoded.faults) setAside(message, reason, field, serial);
    if (!decoded.ok) return setAside(message, decoded.reason, null, serial);
    const repeated = duplicates.isRepetition(device.id, message.payload, message, clock.monotonic());
    if (repeated && !decoded.atGiven) return;
    const { at, fwversion, rssi, fields } = decoded;
    try {
      await keep({ sensorId: device.id, at, receivedAt, fwversion, rssi, fields });
    } catch (error) {
      duplicates.forget(device.id);
      throw error;
    }
  }

  async function takeReport(
    device: KnownDevice,
    number: number,
    message: InMessage,
    receivedAt: number,
  ): Promise<void> {
    const serial = String(device.serial);
    if (!device.channels.some((channel) => channel.number === number)) {
      return setAside(message, "unknown-channel", null, serial);
    }
    const decoded = decodeChannelState(message.payload, receivedAt);
    if (!decoded.ok) return setAside(message, decoded.reason, decoded.field, serial);
    // What the broker kept was said at its own time, not now.
    const heardAt = message.retained ? Math.min(receivedAt, decoded.report.at) : receivedAt;
    await reports.add({ ...decoded.report, deviceId: device.id, number, heardAt });
  }

  async function takeStatus(device: KnownDevice, message: InMessage, receivedAt: number): Promise<void> {
    const word = Buffer.from(message.payload.subarray(0, 16)).toString("utf8").trim().toLowerCase();
    const online = STATUS_WORDS[word];
    if (online === undefined) return setAside(message, "wrong-type", null, String(device.serial));
    await takeLine(device, online, receivedAt);
  }

  async function takeLine(device: KnownDevice, online: boolean, at: number): Promise<void> {
    if (await links.said(device.id, online, at)) await tellChannels(device);
  }

  async function dispatch(message: InMessage): Promise<void> {
    const parsed = parseDeviceTopic(message.topic);
    if (!parsed) {
      const uplink = parseUplinkTopic(message.topic);
      return uplink ? uplinks.take(uplink, message, clock.now()) : setAside(message, "unknown-topic");
    }
    const device = directory.bySerial(Number(parsed.serial));
    if (!device) return setAside(message, "unknown-serial", null, parsed.serial);
    const receivedAt = clock.now();
    switch (parsed.kind) {
      case "up":
        if (device.kind === "controller") return setAside(message, "unknown-topic", null, parsed.serial);
        return takeReading(device, message, receivedAt);
      case "state":
        return takeReport(device, parsed.number, message, receivedAt);
      case "status":
        return takeStatus(device, message, receivedAt);
    }
  }

  return {
    report: (report) => reports.add(report),
    line: (device, online) => takeLine(device, online, clock.now()),
    links,
    deadLetters,
    outputs,
    ignored: uplinks.ignored,
    newest: (sensorId) => accepted.get(sensorId),
    whenHeard: (listener) => void listeners.push(listener),
    whenRefused: (listener) => void refusals.push(listener),
    async take(message) {
      try {
        await dispatch(message);
      } catch (error) {
        if (!isPoison(error)) throw error;
        // A row that no database will ever take must not come back for ever.
        logger.error({ err: error, topic: message.topic }, "message cannot be stored");
        setAside(message, "not-storable");
      }
    },
    async stop() {
      await readings.drain();
      await reports.drain();
      await deadLetters.stop();
    },
  };
}
