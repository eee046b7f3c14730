import { parseDeviceTopic } from "@mulkko/shared/mqtt/topics";
import type { Timer, Timers } from "@mulkko/shared/rules/clock";
import { readStatus } from "../decode/status-word.ts";
import type { InMessage } from "./broker.ts";
import type { DeviceIndex, KnownDevice } from "./device-index.ts";

/**
 * Delay between a device's connection and the call of listeners, ms. A device may subscribe in several steps.
 * With an external broker only its `online` message is visible, which may precede its subscriptions.
 */
const SETTLE_MS = 250;

/** Notify listeners when a device has subscribed to its commands. */
export interface CommandSubscriptions {
  onSubscribed(listener: (device: KnownDevice) => void): void;
  /** Record a subscription at the embedded broker. */
  subscribed(serial: number): void;
  /** Record a stored message, with an external broker. */
  received(message: InMessage): void;
  stop(): void;
}

export function createCommandSubscriptions(deviceIndex: DeviceIndex, timers: Timers): CommandSubscriptions {
  const listeners: ((device: KnownDevice) => void)[] = [];
  // Bounded by the registered devices.
  const settling = new Map<number, Timer>();

  function subscribed(serial: number): void {
    // A message during the delay does not restart it: otherwise a device that sends often would wait
    // indefinitely.
    if (settling.has(serial) || !deviceIndex.bySerial(serial)) return;
    const timer = timers.after(SETTLE_MS, () => {
      settling.delete(serial);
      const device = deviceIndex.bySerial(serial);
      if (!device) return;
      for (const listener of listeners) listener(device);
    });
    settling.set(serial, timer);
  }

  return {
    onSubscribed: (listener) => void listeners.push(listener),
    subscribed,
    received({ topic, payload, retained }) {
      if (retained) return;
      const parsed = parseDeviceTopic(topic);
      if (parsed?.kind !== "status") return;
      if (readStatus(payload) === true) subscribed(Number(parsed.serial));
    },
    stop() {
      for (const timer of settling.values()) timer.cancel();
      settling.clear();
    },
  };
}
