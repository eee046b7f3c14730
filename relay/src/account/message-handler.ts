import { OutChanged, OutChannel, OutNotification, OutReading } from "@mulkko/shared/mqtt/out-messages";
import type { Clock } from "@mulkko/shared/rules/clock";
import { channelKey } from "@mulkko/shared/rules/device-keys";
import type { ApiClock } from "@mulkko/shared/rules/zoneless-time";
import { type Parsed, parseJson } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import { Compile } from "typebox/compile";
import type { Log } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { AccountState } from "./account-state.ts";
import type { DeviceHandler } from "./device-handler.ts";
import type { DeviceIndex } from "./device-index.ts";
import type { ReceivedMessage } from "./mqtt.ts";
import { receivedChannel } from "./normalise-channel.ts";
import { receivedReading } from "./normalise-reading.ts";
import type { NotificationHandler } from "./notification-handler.ts";

export interface MessageHandlerDeps {
  readonly state: Pick<AccountState, "emit">;
  readonly deviceIndex: DeviceIndex;
  readonly handler: DeviceHandler;
  readonly notifications: NotificationHandler;
  readonly apiClock: ApiClock;
  readonly clock: Pick<Clock, "monotonic">;
  readonly metrics: Pick<Metrics, "sourceMessage">;
  readonly log: Log;
}

const text = new TextDecoder();

/**
 * Compiled: most messages are readings, and interpreting their schema took a third of the processing time.
 */
const READING = Compile(OutReading);

function parseReading(payload: string): Parsed<OutReading> {
  const parsed = parseJson(Type.Unknown(), payload);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (READING.Check(value)) return { ok: true, value };
  const [first] = READING.Errors(value);
  return { ok: false, path: first?.instancePath ?? "", message: first?.message ?? "is not a reading" };
}

/**
 * Create the handler of the API's output topics for one account; invalid messages are counted and ignored.
 */
export function createMessageHandler(deps: MessageHandlerDeps): (message: ReceivedMessage) => void {
  const { state, deviceIndex, handler, notifications, apiClock, clock, metrics, log } = deps;

  const accepted = <T>(message: ReceivedMessage, parsed: Parsed<T>, apply: (value: T) => boolean): void => {
    if (!parsed.ok) {
      log.debug(
        { event: "message-rejected", topic: message.topic, path: parsed.path, reason: parsed.message },
        "rejected invalid message",
      );
      metrics.sourceMessage("mqtt", "rejected");
      return;
    }
    metrics.sourceMessage("mqtt", apply(parsed.value) ? "changed" : "same");
  };

  return (message) => {
    const { topic } = message;
    const payload = text.decode(message.payload);
    switch (topic.kind) {
      case "sensor":
        accepted(message, parseReading(payload), (reading) => {
          state.emit("sensorReceived", topic.id);
          const type = deviceIndex.sensorType(topic.id);
          return type !== undefined && handler.reading(topic.id, receivedReading(reading));
        });
        return;
      case "channel":
        accepted(message, parseJson(OutChannel, payload), (reported) => {
          const key = channelKey(topic.id);
          if (!deviceIndex.channels.has(key)) {
            // Registered a moment ago, and not in the lists yet.
            state.emit("channelDue", key, 0);
            return false;
          }
          return handler.channel(
            key,
            receivedChannel(reported, { at: message.arrivedAt, monotonic: clock.monotonic() }, apiClock),
          );
        });
        return;
      case "noti":
        accepted(message, parseJson(OutNotification, payload), (notification) => {
          notifications.received(notification).catch((error: unknown) => {
            log.error({ event: "notification-failed", err: error }, "failed to process notification");
          });
          return true;
        });
        return;
      case "changed":
        accepted(message, parseJson(OutChanged, payload), ({ entity }) => {
          if (entity === "password") return false;
          // Sensors were moved between channels, or a mode was set.
          state.emit("written", entity === "channel" ? ["controller", "channel"] : [entity]);
          return true;
        });
        return;
    }
  };
}
