import { parseDeviceTopic } from "@mulkko/shared/mqtt/topics";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyBaseLogger } from "fastify";
import type { Broker, InMessage, TakeMessage } from "../broker/broker.ts";
import { type Database, DatabaseError } from "../database/database.ts";
import type { DeviceDirectory, KnownDevice } from "../devices/directory.ts";
import { createBatcher } from "./batcher.ts";
import { type HeardReport, readChannels, storeReports } from "./channel-store.ts";
import { createDeadLetters, type DeadLetters } from "./dead-letters.ts";
import { decodeChannelState } from "./decode/channel-state.ts";
import { decodeNative } from "./decode/native.ts";
import { createDeviceLinks, type DeviceLinks, linkOf } from "./device-links.ts";
import { createDuplicates } from "./duplicates.ts";
import { createOutputs, type Outputs } from "./outputs.ts";
import type { Reading } from "./reading.ts";
import { storeReadings } from "./reading-store.ts";
import type { RejectReason } from "./reject-reason.ts";

/** The way of a device's message into the database and on to the relay. */
export interface Ingest {
  /** Resolves once the message is stored or set aside for good; rejects while the database is away. */
  readonly take: TakeMessage;
  readonly links: DeviceLinks;
  readonly deadLetters: DeadLetters;
  readonly outputs: Outputs;
  /** The newest accepted reading of a sensor, stored yet or not. */
  newest(sensorId: string): Reading | undefined;
  stop(): Promise<void>;
}

export interface IngestParts {
  readonly database: Database;
  readonly directory: DeviceDirectory;
  readonly broker: () => Broker | undefined;
  readonly zone: ApiTimeZone;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
  /** To be told how many rows were written. */
  readonly wrote: (rows: number) => void;
}

const STATUS_WORDS: Readonly<Record<string, boolean>> = { online: true, offline: false };

const isPoison = (error: unknown): boolean => error instanceof DatabaseError && !error.temporary;

export function createIngest(parts: IngestParts): Ingest {
  const { database, directory, clock, logger } = parts;
  const outputs = createOutputs(parts.broker, parts.zone, logger);
  const deadLetters = createDeadLetters(database, clock, logger);
  const links = createDeviceLinks(database);
  const duplicates = createDuplicates();
  // Bounded by the sensors that are registered here.
  const accepted = new Map<string, Reading>();

  const readings = createBatcher<Reading>(async (batch) => {
    const fresh = await storeReadings(database, batch);
    parts.wrote(fresh.length);
    for (const reading of fresh) {
      const device = directory.byId(reading.sensorId);
      if (device) outputs.reading(device, reading);
    }
  }, isPoison);

  async function tellChannels(device: KnownDevice, numbers?: ReadonlySet<number>): Promise<void> {
    for (const stored of await readChannels(database, device.id, clock.now())) {
      if (numbers && !numbers.has(stored.number)) continue;
      const channel = device.channels.find(({ number }) => number === stored.number);
      if (channel) outputs.channel(device, channel.key, stored, linkOf(links.of(device.id)));
    }
  }

  const reports = createBatcher<HeardReport>(async (batch) => {
    await storeReports(database, batch);
    parts.wrote(batch.length);
    for (const [deviceId, own] of Map.groupBy(batch, (report) => report.deviceId)) {
      const flipped = links.heard(deviceId, Math.max(...own.map((report) => report.heardAt)));
      const device = directory.byId(deviceId);
      if (device) await tellChannels(device, flipped ? undefined : new Set(own.map(({ number }) => number)));
    }
  }, isPoison);

  const setAside = (
    message: InMessage,
    reason: RejectReason,
    field: string | null = null,
    serial: string | null = null,
  ): void => deadLetters.add({ topic: message.topic, serial, reason, field, payload: message.payload });

  async function takeReading(device: KnownDevice, message: InMessage, receivedAt: number): Promise<void> {
    const serial = String(device.serial);
    const decoded = decodeNative(message.payload, device.type, receivedAt);
    for (const { field, reason } of decoded.faults) setAside(message, reason, field, serial);
    if (!decoded.ok) return setAside(message, decoded.reason, null, serial);
    const repeated = duplicates.isRepetition(device.id, message.payload, message, clock.monotonic());
    if (repeated && !decoded.atGiven) return;
    const { at, fwversion, rssi, fields } = decoded;
    const reading: Reading = { sensorId: device.id, at, receivedAt, fwversion, rssi, fields };
    if (at >= (accepted.get(device.id)?.at ?? 0)) accepted.set(device.id, reading);
    await readings.add(reading);
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
    if (await links.said(device.id, online, receivedAt)) await tellChannels(device);
  }

  async function dispatch(message: InMessage): Promise<void> {
    const parsed = parseDeviceTopic(message.topic);
    if (!parsed) return setAside(message, "unknown-topic");
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
    links,
    deadLetters,
    outputs,
    newest: (sensorId) => accepted.get(sensorId),
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
