import Type from "typebox";
import { DeadLetterReport } from "../dead-letter.ts";
import { DeviceProfile } from "../device-profile.ts";
import { DeviceKey } from "../sensor.ts";
import type { Operation } from "./operation.ts";

/** Make a new key; the old one is refused from then on (extension `devices`). */
export const deviceKeyRenew = {
  methods: ["POST"],
  path: "/api/v1/device/:id/key",
  answer: DeviceKey,
} as const satisfies Operation;

/** Decoders of LoRaWAN devices (extension `devices`). */
export const deviceProfiles = {
  methods: ["GET"],
  path: "/api/v1/device/profiles",
  answer: Type.Array(DeviceProfile),
  readableAs: true,
} as const satisfies Operation;

/** A device's messages that were not understood (extension `dead-letters`). */
export const deadLetters = {
  methods: ["GET"],
  path: "/api/v1/device/:id/dead-letters",
  answer: DeadLetterReport,
} as const satisfies Operation;
