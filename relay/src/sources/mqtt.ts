import { parseOutTopic, topic } from "@mulkko/shared/mqtt/topics";
import type { Clock } from "@mulkko/shared/rules/clock";
import mqtt from "mqtt";
import type { HeardMessage } from "../owner/owner.ts";
import type { LinkState } from "../ports/link.ts";
import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";

/** The relay's ear at the API's broker (MQTT-1). */
export interface MqttSource {
  close(): Promise<void>;
}

export interface MqttSourceParts {
  readonly url: string;
  /** Password of the broker's user `relay`. */
  readonly key: string | undefined;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly onState: (state: Exclude<LinkState["mqtt"], "off">) => void;
  readonly onMessage: (message: HeardMessage) => void;
  readonly onRejected: () => void;
}

/** ms between two attempts to reach the broker. */
const RECONNECT_MS = 2_000;
/** ms until a subscription that was refused is asked for again. */
const RESUBSCRIBE_MS = 30_000;
/** A broker that is not there for so long after the start is missing, ms. */
const START_GRACE_MS = 30_000;
const KEEPALIVE_SECONDS = 15;
/** Bytes of the largest message that is looked at. */
const MESSAGE_BYTES = 64 * 1024;

/** True where nothing listens at the address yet; a broker that refuses a key is there. */
const isNotThere = (error: Error): boolean => "code" in error && error.code === "ECONNREFUSED";

/** An error of several addresses has no message of its own. */
const reasonOf = (error: Error): string =>
  error.message || ("code" in error && typeof error.code === "string" ? error.code : error.name);

/** Connects for ever; what is lost while away is asked for by polling once it is back. */
export function createMqttSource(parts: MqttSourceParts): MqttSource {
  const { log } = parts;
  const client = mqtt.connect(parts.url, {
    username: "relay",
    ...(parts.key !== undefined && { password: parts.key }),
    clean: true,
    reconnectPeriod: RECONNECT_MS,
    connectTimeout: 10_000,
    keepalive: KEEPALIVE_SECONDS,
    resubscribe: false,
  });
  let complained = false;
  let wasUp = false;
  let waiting = false;
  const startedAt = parts.clock.monotonic();
  const complain = (error: Error): void => {
    // A broker that starts together with the relay needs a moment: that is no trouble yet.
    if (isNotThere(error) && !wasUp && parts.clock.monotonic() - startedAt < START_GRACE_MS) {
      if (!waiting) log.info({ reason: reasonOf(error) }, "waiting for MQTT broker");
      waiting = true;
      return;
    }
    // Once per outage: the client tries again every two seconds. A stack would say nothing about a broker.
    if (!complained) log.warn({ reason: reasonOf(error) }, "MQTT broker unavailable; readings are polled");
    complained = true;
  };

  let retry: { cancel(): void } | undefined;
  const subscribe = (): void => {
    retry?.cancel();
    client.subscribe(topic.outAll, { qos: 0 }, (error, grants) => {
      const refused =
        error ?? (grants?.some((grant) => grant.qos > 2) ? new Error("subscription refused") : null);
      if (refused) {
        complain(refused);
        if (client.connected) retry = parts.timers.after(RESUBSCRIBE_MS, subscribe);
        return;
      }
      complained = false;
      wasUp = true;
      log.info({}, "the broker is heard");
      parts.onState("up");
    });
  };
  client.on("connect", subscribe);
  client.on("close", () => {
    retry?.cancel();
    parts.onState("down");
  });
  client.on("error", complain);
  client.on("message", (name, payload) => {
    const parsed = parseOutTopic(name);
    if (parsed === null || payload.byteLength > MESSAGE_BYTES) {
      parts.onRejected();
      return;
    }
    try {
      parts.onMessage({ topic: parsed, payload, arrivedAt: parts.clock.now() });
    } catch (error) {
      // The client would take it for an error of its stream, which ends the process: one message must not.
      log.error({ err: error, topic: name }, "a message of the broker could not be taken");
      parts.onRejected();
    }
  });

  return {
    async close() {
      retry?.cancel();
      client.removeAllListeners("close");
      await client.endAsync(true);
    },
  };
}
