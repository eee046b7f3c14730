import type { DeviceType } from "../device-type.ts";
import { sms } from "./sms.ts";

/** Older soil sensor; shown like SMS. */
export const soil: DeviceType = { ...sms, type: "SOIL", labelKey: "deviceType.SOIL" };
