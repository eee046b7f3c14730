import { apiPath } from "@mulkko/shared/rest/routes";
import { DeviceKey } from "@mulkko/shared/rest/sensor";
import { parse } from "@mulkko/shared/schema/parse";
import type { RestClient } from "./client.ts";

/** The key in the answer that made a device (extension `devices`); null where the API gives none. */
export function deviceKeyOf(answer: unknown): DeviceKey | null {
  const parsed = parse(DeviceKey, answer);
  return parsed.ok && parsed.value.deviceKey !== "" ? parsed.value : null;
}

/** Makes a new key for a sensor or controller; the old one is refused from then on (extension `devices`). */
export async function renewDeviceKey(rest: RestClient, id: string | number): Promise<DeviceKey> {
  return rest.call({ method: "POST", path: apiPath.deviceKey(id), answer: DeviceKey });
}
