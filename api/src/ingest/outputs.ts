import type { Notification } from "@mulkko/shared/entities/notification";
import type { OutChanged, OutChannel, OutReading } from "@mulkko/shared/mqtt/out-messages";
import { topic } from "@mulkko/shared/mqtt/topics";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { FastifyBaseLogger } from "fastify";
import type { Broker } from "../broker/broker.ts";
import type { KnownDevice } from "../devices/directory.ts";
import { controllerStateOf } from "../modules/controller/state.ts";
import { logEntryOf } from "../modules/log/log-entry.ts";
import type { StoredChannel } from "./channel-store.ts";
import type { Link } from "./device-links.ts";
import type { Reading } from "./reading.ts";

/** What the API tells the relay, after it is stored. Losing one is harmless: the relay also polls. */
export interface Outputs {
  reading(device: KnownDevice, reading: Reading): void;
  channel(device: KnownDevice, channelKey: string, stored: StoredChannel, link: Link): void;
  notification(accountId: string, notification: Notification): void;
  /** Something of the account was written: who shows it asks again. */
  changed(accountId: string, entity: OutChanged["entity"], id: string | number): void;
}

const iso = (instant: number): string => new Date(instant).toISOString();

export function createOutputs(
  broker: () => Broker | undefined,
  zone: ApiTimeZone,
  logger: FastifyBaseLogger,
): Outputs {
  const send = (name: string, body: object): void => {
    broker()
      ?.publish({ topic: name, payload: JSON.stringify(body), qos: 0 })
      .catch((error: unknown) => logger.debug({ err: error, topic: name }, "output was not sent"));
  };

  return {
    reading(device, reading) {
      const body: OutReading = {
        ...logEntryOf(reading, device.type, zone),
        at: iso(reading.at),
        receivedAt: iso(reading.receivedAt),
      };
      send(topic.outSensor(device.accountId, device.id), body);
    },
    channel(device, channelKey, stored, link) {
      const body: OutChannel = {
        ...controllerStateOf(device.serial, stored, link, zone),
        at: iso(stored.at),
        heardAt: iso(stored.heardAt),
        moisture: stored.moisture,
      };
      send(topic.outChannel(device.accountId, channelKey), body);
    },
    notification: (accountId, notification) => send(topic.outNotification(accountId), notification),
    changed(accountId, entity, id) {
      const body: OutChanged = { entity, id };
      send(topic.outChanged(accountId), body);
    },
  };
}
