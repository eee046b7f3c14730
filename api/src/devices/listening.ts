import { parseDeviceTopic } from "@mulkko/shared/mqtt/topics";
import type { InMessage } from "../broker/broker.ts";
import type { DeviceDirectory, KnownDevice } from "./directory.ts";

/**
 * How long after a device's sign its listeners are told, ms: it may subscribe in several steps, and behind a broker
 * elsewhere all that is seen is the word `online`, which it may say before it subscribes.
 */
const SETTLE_MS = 250;
const ONLINE = "online";

/** Tells who wants to know that a device has begun to listen to its commands. */
export interface Listening {
  when(listener: (device: KnownDevice) => void): void;
  /** The embedded broker saw the device subscribe. */
  began(serial: number): void;
  /** Behind a broker elsewhere: a device's message, stored. */
  heard(message: InMessage): void;
  stop(): void;
}

export function createListening(directory: DeviceDirectory): Listening {
  const listeners: ((device: KnownDevice) => void)[] = [];
  // Bounded by the devices that are registered.
  const timers = new Map<number, NodeJS.Timeout>();

  function began(serial: number): void {
    // A sign that comes while another waits is answered with it: a device that talks much is not kept waiting.
    if (timers.has(serial) || !directory.bySerial(serial)) return;
    const timer = setTimeout(() => {
      timers.delete(serial);
      const device = directory.bySerial(serial);
      if (!device) return;
      for (const listener of listeners) listener(device);
    }, SETTLE_MS);
    timers.set(serial, timer.unref());
  }

  return {
    when: (listener) => void listeners.push(listener),
    began,
    heard({ topic, payload, retained }) {
      if (retained || payload.length > ONLINE.length + 8) return;
      const parsed = parseDeviceTopic(topic);
      if (parsed?.kind !== "status") return;
      const word = Buffer.from(payload).toString("utf8").trim().toLowerCase();
      if (word === ONLINE) began(Number(parsed.serial));
    },
    stop() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
