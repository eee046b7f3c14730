import { type OutTopic, parseOutTopic, topic } from "@mulkko/shared/mqtt/topics";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { parseJson } from "@mulkko/shared/schema/parse";
import { OutageReasons, reasonOf } from "@mulkko/shared/server/outage-reasons";
import mqtt from "mqtt";
import type { TSchema } from "typebox";
import type { Log } from "../runtime/log.ts";
import type { LinkState } from "../upstream/link-monitor.ts";

/** The relay's connection to the API's broker (MQTT-1). */
export interface MqttSource {
  close(): Promise<void>;
}

export interface MqttSourceDeps {
  readonly url: string;
  /** Password of the broker's user `relay`. */
  readonly key: string | undefined;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly observer: MqttObserver;
}

export interface MqttObserver {
  state(state: Exclude<LinkState["mqtt"], "off">): void;
  message(message: ReceivedMessage): void;
  /** A message was invalid, or failed to be processed. */
  rejected(): void;
}

/** Delay between two attempts to reach the broker, ms. */
const RECONNECT_MS = 2_000;
/** Delay before a refused subscription is requested again, ms. */
const RESUBSCRIBE_MS = 30_000;
/** Time after the start from which an unreachable broker counts as missing, ms. */
const START_GRACE_MS = 30_000;
const KEEPALIVE_SECONDS = 15;
/** Size limit of a message, bytes. */
const MESSAGE_BYTES = 64 * 1024;

/** True while nothing listens at the address; a broker that rejects a key is present. */
const isNotThere = (error: Error): boolean => "code" in error && error.code === "ECONNREFUSED";

/** Connect, and reconnect without end; polling repairs what is lost during an outage. */
export function createMqttSource(deps: MqttSourceDeps): MqttSource {
  const { log, observer } = deps;
  const client = mqtt.connect(deps.url, {
    username: "relay",
    ...(deps.key !== undefined && { password: deps.key }),
    clean: true,
    reconnectPeriod: RECONNECT_MS,
    connectTimeout: 10_000,
    keepalive: KEEPALIVE_SECONDS,
    resubscribe: false,
  });
  // A stack would not describe the broker.
  const reasons = new OutageReasons((reason) =>
    log.warn({ event: "mqtt-unavailable", reason }, "MQTT broker unavailable; readings are polled"),
  );
  let wasUp = false;
  let waiting = false;
  const startedAt = deps.clock.monotonic();
  const complain = (error: Error): void => {
    // A broker that starts together with the relay needs a moment: that is not a fault yet.
    if (isNotThere(error) && !wasUp && deps.clock.monotonic() - startedAt < START_GRACE_MS) {
      if (!waiting) log.info({ event: "mqtt-waiting", reason: reasonOf(error) }, "waiting for MQTT broker");
      waiting = true;
      return;
    }
    reasons.failed(error);
  };

  let retry: { cancel(): void } | undefined;
  const subscribe = (): void => {
    retry?.cancel();
    client.subscribe(topic.outAll, { qos: 0 }, (error, grants) => {
      const refused =
        error ?? (grants?.some((grant) => grant.qos > 2) ? new Error("subscription refused") : null);
      if (refused) {
        complain(refused);
        if (client.connected) retry = deps.timers.after(RESUBSCRIBE_MS, subscribe);
        return;
      }
      reasons.over();
      wasUp = true;
      log.info({ event: "mqtt-connected" }, "connected to MQTT broker");
      observer.state("up");
    });
  };
  client.on("connect", subscribe);
  client.on("close", () => {
    retry?.cancel();
    observer.state("down");
  });
  client.on("error", complain);
  client.on("message", (name, payload) => {
    const parsed = parseOutTopic(name);
    if (parsed === null || payload.byteLength > MESSAGE_BYTES) {
      observer.rejected();
      return;
    }
    try {
      observer.message({ topic: parsed, payload, arrivedAt: deps.clock.now() });
    } catch (error) {
      // The client would treat the exception as an error of its stream, which ends the process.
      log.error({ event: "mqtt-message-failed", err: error, topic: name }, "failed to process MQTT message");
      observer.rejected();
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

/** A message of the API's broker for one account. */
export interface ReceivedMessage {
  readonly topic: OutTopic;
  readonly payload: Uint8Array;
  /** ms UTC */
  readonly arrivedAt: number;
}

const decoder = new TextDecoder();

/** Parse the JSON of a message. */
export const parsePayload = <S extends TSchema>(schema: S, { payload }: Pick<ReceivedMessage, "payload">) =>
  parseJson(schema, decoder.decode(payload));
