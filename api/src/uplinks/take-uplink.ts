import type { InMessage } from "../broker/broker.ts";
import type { DeviceDirectory, KnownDevice } from "../devices/directory.ts";
import { readJsonObject } from "../ingest/decode/json-object.ts";
import type { Reading } from "../ingest/reading.ts";
import type { RejectReason } from "../ingest/reject-reason.ts";
import { readChirpstack } from "./chirpstack.ts";
import type { Profiles } from "./load-profiles.ts";
import { applyProfile } from "./profile.ts";
import { readThingsStack } from "./things-stack.ts";
import type { UplinkTopic } from "./topics.ts";
import { type Adapted, refused, type Uplink } from "./uplink.ts";

export interface UplinkParts {
  readonly directory: DeviceDirectory;
  readonly profiles: Profiles;
  readonly setAside: (
    message: InMessage,
    reason: RejectReason,
    field: string | null,
    serial: string | null,
  ) => void;
  /** Resolves once the reading is stored. */
  readonly keep: (reading: Reading) => Promise<void>;
}

/** The way of a network server's messages to readings. */
export interface Uplinks {
  /** Resolves once the message is stored, ignored or set aside; rejects while the database is away. */
  take(topic: UplinkTopic, message: InMessage, receivedAt: number): Promise<void>;
  /** How many messages had nothing to store, by what they were, since the process started. */
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

export function createUplinks({ directory, profiles, setAside, keep }: UplinkParts): Uplinks {
  // Keys are the adapters' own few words, never a sender's.
  const ignored: Record<string, number> = {};
  // Bounded by the devices that are registered here.
  const lastFrames = new Map<string, string>();
  const countIgnored = (event: string): void => {
    ignored[event] = (ignored[event] ?? 0) + 1;
  };

  async function takeFrame(
    device: KnownDevice,
    uplink: Uplink,
    message: InMessage,
    receivedAt: number,
  ): Promise<void> {
    const serial = String(device.serial);
    if (device.kind === "controller") return setAside(message, "unknown-topic", null, serial);
    const profile = device.profile === null ? undefined : profiles.get(device.profile);
    if (!profile) return setAside(message, "no-profile", device.profile, serial);
    // Frames with a time of their own are told apart by it; without one only the network server knows.
    const isRepeated = uplink.frameId !== null && lastFrames.get(device.id) === uplink.frameId;
    if (isRepeated && !uplink.atGiven) return;
    const { readings, faults } = applyProfile(profile, uplink, device.type, receivedAt);
    for (const { field, reason } of faults) setAside(message, reason, field, serial);
    if (readings.length === 0) {
      if (faults.length > 0) return setAside(message, "no-usable-field", null, serial);
      return countIgnored("nothing measured");
    }
    const { rssi } = uplink;
    await Promise.all(
      readings.map(({ at, fields }) =>
        keep({ sensorId: device.id, at, receivedAt, fwversion: null, rssi, fields }),
      ),
    );
    if (uplink.frameId !== null) lastFrames.set(device.id, uplink.frameId);
  }

  return {
    ignored: () => ({ ...ignored }),
    async take(topic, message, receivedAt) {
      const adapted = adapt(topic, message.payload, receivedAt);
      switch (adapted.kind) {
        case "ignored":
          return countIgnored(adapted.event);
        case "refused":
          return setAside(message, adapted.reason, adapted.field, null);
        case "uplink": {
          const device = directory.byExternalId(adapted.uplink.externalId);
          if (!device) return setAside(message, "unknown-external-id", null, null);
          return takeFrame(device, adapted.uplink, message, receivedAt);
        }
      }
    },
  };
}
