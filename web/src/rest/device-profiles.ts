import { DeviceProfile } from "@mulkko/shared/rest/device-profile";
import { apiPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import type { RestClient } from "./client.ts";

/** Fetch the decoders available for LoRaWAN devices (extension `devices`). */
export function fetchDeviceProfiles(rest: RestClient, signal: AbortSignal): Promise<DeviceProfile[]> {
  return rest.call({
    method: "GET",
    path: apiPath.deviceProfiles,
    answer: Type.Array(DeviceProfile),
    signal,
  });
}
