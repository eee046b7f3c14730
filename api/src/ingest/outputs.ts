import type { Notification } from "@mulkko/shared/entities/notification";
import type { OutChanged, OutChannel, OutReading } from "@mulkko/shared/mqtt/out-messages";
import { topic } from "@mulkko/shared/mqtt/topics";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { FastifyBaseLogger } from "fastify";
import type { Broker } from "../devices/broker.ts";
import type { KnownDevice } from "../devices/device-index.ts";
import type { ChannelLink } from "../devices/device-links.ts";
import { logEntryOf } from "../history/query/log-entry.ts";
import type { Reading } from "../history/reading.ts";
import type { StoredChannel } from "../valves/channel-store.ts";
import { controllerStateOf } from "../valves/controller-state.ts";

/** Messages to the relay after data is stored. Losing one is harmless: the relay also polls. */
export interface Outputs {
  reading(device: KnownDevice, reading: Reading): void;
  /** @param isLive true where the device itself has just sent this state */
  channel(
    device: KnownDevice,
    channelKey: string,
    stored: StoredChannel,
    link: ChannelLink,
    isLive: boolean,
  ): void;
  notification(accountId: string, notification: Notification): void;
  /** An entity of the account changed: clients that show it reload it. */
  changed(accountId: string, entity: OutChanged["entity"], id: string | number): void;
  /** Name with each reading the contact after its sensor's last long gap (FLIP-1), ms since 1970 UTC. */
  nameReturns(find: (deviceId: string) => number | null): void;
  /** Send by this broker from now on; earlier messages are dropped. */
  sendBy(broker: Broker): void;
}

const iso = (instant: number): string => new Date(instant).toISOString();
const isoOrNull = (instant: number | null): string | null => (instant === null ? null : iso(instant));

export function createOutputs(zone: ApiTimeZone, logger: FastifyBaseLogger): Outputs {
  let broker: Broker | undefined;
  let returnOf = (_deviceId: string): number | null => null;
  const send = (name: string, body: object): void => {
    broker
      ?.publish({ topic: name, payload: JSON.stringify(body), qos: 0 })
      .catch((error: unknown) =>
        logger.debug({ event: "output-not-sent", err: error, topic: name }, "cannot send message to relay"),
      );
  };

  return {
    reading(device, reading) {
      const backAt = returnOf(device.id);
      const body: OutReading = {
        ...logEntryOf(reading, device.type, zone),
        at: iso(reading.at),
        receivedAt: iso(reading.receivedAt),
        ...(backAt !== null && { backAt: iso(backAt) }),
        ...(reading.arrival !== undefined && { arrival: reading.arrival }),
      };
      send(topic.outSensor(device.accountId, device.id), body);
    },
    channel(device, channelKey, stored, link, isLive) {
      const body: OutChannel = {
        ...controllerStateOf(device.serial, stored, link, zone),
        at: isoOrNull(stored.at),
        heardAt: isoOrNull(stored.heardAt),
        moisture: stored.moisture,
        isLive,
      };
      send(topic.outChannel(device.accountId, channelKey), body);
    },
    notification: (accountId, notification) => send(topic.outNotification(accountId), notification),
    changed(accountId, entity, id) {
      const body: OutChanged = { entity, id };
      send(topic.outChanged(accountId), body);
    },
    nameReturns(find) {
      returnOf = find;
    },
    sendBy(opened) {
      broker = opened;
    },
  };
}
