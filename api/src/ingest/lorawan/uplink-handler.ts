import { hash } from "node:crypto";
import { readJsonObject } from "../../decode/fields.ts";
import type { StatedTime } from "../../decode/message-time.ts";
import type { InMessage } from "../../devices/broker.ts";
import type { DeviceIndex, KnownDevice } from "../../devices/device-index.ts";
import type { Reading } from "../../history/reading.ts";
import type { SetAside } from "../dead-letters.ts";
import type { Knocks } from "../knocks.ts";
import { readChirpstack } from "./chirpstack.ts";
import type { Profiles } from "./load-profiles.ts";
import { applyProfile } from "./profile.ts";
import { readThingsStack } from "./things-stack.ts";
import type { UplinkTopic } from "./topics.ts";
import { type Adapted, refused, type Uplink } from "./uplink.ts";

export interface UplinkDeps {
  readonly deviceIndex: DeviceIndex;
  readonly profiles: Profiles;
  readonly setAside: SetAside;
  readonly knocks: Pick<Knocks, "add">;
  /** Resolve once the reading is stored. */
  readonly keep: (reading: Omit<Reading, "at">, time: StatedTime, message: InMessage) => Promise<void>;
}

/**
 * A frame that was stored. One that comes again in the same bytes is the same, whatever is thought of its time: where that
 * is not believed, each delivery has the time of its arrival.
 */
interface Frame {
  readonly id: string | null;
  readonly digest: string;
}

/** Frames of one device that a network server may have under way at once: it sends again what was not acknowledged. */
const REMEMBERED = 20;

/** Convert messages of network servers to readings. */
export interface Uplinks {
  /** Resolve once the message is stored, ignored or rejected; reject during a database outage. */
  handle(topic: UplinkTopic, message: InMessage, receivedAt: number): Promise<void>;
  /** Return the number of messages with nothing to store, by kind, since the process started. */
  ignored(): Readonly<Record<string, number>>;
}

function adapt({ server, event }: UplinkTopic, payload: Uint8Array, receivedAt: number): Adapted {
  const read = readJsonObject(payload);
  if (!read.ok) return refused(read.reason);
  switch (server) {
    case "chirpstack":
      return readChirpstack(event, read.object, receivedAt);
    case "tts":
      return readThingsStack(event, read.object, receivedAt);
  }
}

export function createUplinks({ deviceIndex, profiles, setAside, knocks, keep }: UplinkDeps): Uplinks {
  // Keys are a few constants of the adapters, never a sender's text.
  const ignored: Record<string, number> = {};
  // Bounded by the registered devices.
  const frames = new Map<string, readonly Frame[]>();
  const countIgnored = (event: string): void => {
    ignored[event] = (ignored[event] ?? 0) + 1;
  };

  async function handleFrame(
    device: KnownDevice,
    uplink: Uplink,
    message: InMessage,
    receivedAt: number,
  ): Promise<void> {
    const from = { device, at: receivedAt };
    if (device.kind === "controller") return setAside(message, "unknown-topic", from);
    const profile = device.profile === null ? undefined : profiles.get(device.profile);
    if (!profile) return setAside(message, "no-profile", { ...from, field: device.profile });
    const frame = { id: uplink.frameId, digest: hash("sha1", message.payload, "base64") };
    const known = (): readonly Frame[] => frames.get(device.id) ?? [];
    const isTimeless = uplink.time.kind !== "stated";
    const isRepeated = ({ id, digest }: Frame): boolean =>
      id === frame.id && (isTimeless || digest === frame.digest);
    if (frame.id !== null && known().some(isRepeated)) return;
    if (uplink.time.kind === "unbelievable")
      setAside(message, uplink.time.reason, { ...from, field: "time" });
    const at = uplink.time.kind === "stated" ? uplink.time.at : receivedAt;
    const { readings, faults } = applyProfile(profile, { ...uplink, at }, device.type, receivedAt);
    for (const { field, reason } of faults) setAside(message, reason, { ...from, field });
    if (readings.length === 0) {
      if (faults.length > 0) return setAside(message, "no-usable-field", from);
      return countIgnored("nothing measured");
    }
    const { rssi } = uplink;
    await Promise.all(
      readings.map((reading) => {
        const time: StatedTime = reading.at === at ? uplink.time : { kind: "stated", at: reading.at };
        const { fields } = reading;
        return keep({ sensorId: device.id, receivedAt, fwversion: null, rssi, fields }, time, message);
      }),
    );
    if (frame.id !== null) frames.set(device.id, [...known(), frame].slice(-REMEMBERED));
  }

  return {
    ignored: () => ({ ...ignored }),
    async handle(topic, message, receivedAt) {
      const adapted = adapt(topic, message.payload, receivedAt);
      switch (adapted.kind) {
        case "ignored":
          return countIgnored(adapted.event);
        case "refused":
          return setAside(message, adapted.reason, { field: adapted.field });
        case "uplink": {
          const device = deviceIndex.byExternalId(adapted.uplink.externalId);
          if (!device) {
            knocks.add("external-id", adapted.uplink.externalId);
            return setAside(message, "unknown-external-id");
          }
          return handleFrame(device, adapted.uplink, message, receivedAt);
        }
      }
    },
  };
}
