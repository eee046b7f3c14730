import type { DeviceType } from "../device-type.ts";
import { ats02 } from "./ats02.ts";

/** Newer outdoor weather station; uses the entry of ATS02. */
export const ats03: DeviceType = { ...ats02, type: "ATS03", labelKey: "deviceType.ATS03" };
