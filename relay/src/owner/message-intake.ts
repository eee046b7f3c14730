import { channelKey } from "@mulkko/shared/live/keys";
import { OutChanged, OutChannel, OutNotification, OutReading } from "@mulkko/shared/mqtt/out-messages";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { type Parsed, parseJson } from "@mulkko/shared/schema/parse";
import Type from "typebox";
import { Compile } from "typebox/compile";
import { heardChannel } from "../core/normalise-channel.ts";
import { heardReading } from "../core/normalise-reading.ts";
import type { Touched } from "../core/touched.ts";
import type { Log } from "../ports/log.ts";
import type { DeviceIntake } from "./device-intake.ts";
import type { Directory } from "./directory.ts";
import type { NotificationIntake } from "./notification-intake.ts";
import type { HeardMessage } from "./owner.ts";

export interface MessageIntakeParts {
  readonly directory: Directory;
  readonly intake: DeviceIntake;
  readonly notifications: NotificationIntake;
  readonly zone: ApiTimeZone;
  readonly log: Log;
  readonly onTouched: (kinds: readonly Touched[]) => void;
  /** A sensor's reading was heard: nobody need ask for it now (POLL-4). */
  readonly onHeardSensor: (sensorId: string) => void;
  /** A channel was heard that no list has named. */
  readonly onUnknownChannel: (channelKey: string) => void;
  readonly onOutcome: (outcome: "changed" | "same" | "rejected") => void;
}

const text = new TextDecoder();

/** Compiled: readings are most of what comes, and interpreting their schema was a third of taking one. */
const READING = Compile(OutReading);

function parseReading(payload: string): Parsed<OutReading> {
  const parsed = parseJson(Type.Unknown(), payload);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (READING.Check(value)) return { ok: true, value };
  const [first] = READING.Errors(value);
  return { ok: false, path: first?.instancePath ?? "", message: first?.message ?? "is no reading" };
}

/** Takes the messages of the API's output topics for one account; what is not as agreed is counted and left. */
export function createMessageIntake(parts: MessageIntakeParts): (message: HeardMessage) => void {
  const { directory, intake, notifications, zone, log, onOutcome } = parts;

  const accepted = <T>(message: HeardMessage, parsed: Parsed<T>, take: (value: T) => boolean): void => {
    if (!parsed.ok) {
      log.debug(
        { topic: message.topic, path: parsed.path, reason: parsed.message },
        "a message was rejected",
      );
      onOutcome("rejected");
      return;
    }
    onOutcome(take(parsed.value) ? "changed" : "same");
  };

  return (message) => {
    const { topic } = message;
    const payload = text.decode(message.payload);
    switch (topic.kind) {
      case "sensor":
        accepted(message, parseReading(payload), (reading) => {
          parts.onHeardSensor(topic.id);
          const type = directory.sensorType(topic.id);
          return type !== undefined && intake.reading(topic.id, heardReading(type, reading));
        });
        return;
      case "channel":
        accepted(message, parseJson(OutChannel, payload), (state) => {
          const key = channelKey(topic.id);
          if (!directory.channels.has(key)) {
            // Registered a moment ago, and the lists do not know it yet.
            parts.onUnknownChannel(key);
            return false;
          }
          return intake.channel(key, heardChannel(state, message.arrivedAt, zone));
        });
        return;
      case "noti":
        accepted(message, parseJson(OutNotification, payload), (notification) => {
          notifications.heard(notification).catch((error: unknown) => {
            log.error({ err: error }, "a notification could not be taken");
          });
          return true;
        });
        return;
      case "changed":
        accepted(message, parseJson(OutChanged, payload), ({ entity }) => {
          if (entity === "password") return false;
          // Sensors that were moved between channels, or a mode that was set.
          parts.onTouched(entity === "channel" ? ["controller", "channel"] : [entity]);
          return true;
        });
        return;
    }
  };
}
