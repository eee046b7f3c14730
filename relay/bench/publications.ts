import { setTimeout as wait } from "node:timers/promises";
import { machineMs } from "@mulkko/testing/bench/figures";
import type { MqttClient } from "mqtt";

/** A place where publications are observed, with the latency of each, ms. */
export interface Tap {
  readonly name: string;
  readonly latencies: number[];
  /** Messages observed; fewer than publications where one frame has the newest of several (SUB-5). */
  messages: number;
  /** Note a message with the reading of this moment (`at`, ISO): it and all before it have arrived. */
  saw(at: string): void;
}

/** Readings of one device, published one by one and observed at taps. */
export interface Publications {
  tap(name: string): Tap;
  /** Publish `count` readings `everyMs` apart, and wait until every tap has seen the last. */
  run(count: number, everyMs: number): Promise<void>;
}

/** ms after the last publication within which it must be seen. */
const ARRIVES_WITHIN_MS = 5_000;
/** Jitter of the pace in ms, so that it does not synchronise with any timer. */
const UNEVEN_MS = 37;

/**
 * Create the publications.
 * @param client signed in as the device of the `topic`
 */
export function createPublications(client: MqttClient, topic: string): Publications {
  const taps: Tap[] = [];
  let sent: { readonly at: string; readonly ms: number }[] = [];
  let turn = 0;

  const publish = (): void => {
    turn += 1;
    const at = new Date().toISOString();
    const fields = { moisture: 30 + (turn % 100) / 10, soilTemperature: 18.4, battery: 88, rssi: -61 };
    sent.push({ at, ms: machineMs() });
    client.publish(topic, JSON.stringify({ at, fwversion: "1.2", ...fields }), { qos: 1 });
  };
  const areAllSeen = (): boolean => taps.every(({ latencies }) => latencies.length === sent.length);

  return {
    tap(name) {
      const tap: Tap = {
        name,
        latencies: [],
        messages: 0,
        saw(at) {
          if (!sent.some((one) => one.at === at)) return;
          const now = machineMs();
          tap.messages += 1;
          for (const one of sent.slice(tap.latencies.length))
            if (one.at <= at) tap.latencies.push(now - one.ms);
        },
      };
      taps.push(tap);
      return tap;
    },
    async run(count, everyMs) {
      sent = [];
      for (const tap of taps) {
        tap.latencies.length = 0;
        tap.messages = 0;
      }
      for (let n = 0; n < count; n += 1) {
        publish();
        await wait(everyMs + ((n * 11) % UNEVEN_MS));
      }
      const deadline = performance.now() + ARRIVES_WITHIN_MS;
      while (!areAllSeen() && performance.now() < deadline) await wait(20);
      if (!areAllSeen()) throw new Error("a publication was lost on its way");
    },
  };
}
