import { apiPath } from "@mulkko/shared/rest/routes";
import { DeviceBroker, type DeviceKey } from "@mulkko/shared/rest/sensor";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { RestClient } from "./client.ts";

/** The key alone: an unreadable broker must not lose the key, which is shown only once. */
const KeyAlone = Type.Object({ deviceKey: Type.String({ minLength: 1 }) });
const BrokerAlone = Type.Object({ mqtt: DeviceBroker });

function withBroker(deviceKey: string, answer: unknown): DeviceKey {
  const named = parse(BrokerAlone, answer);
  return named.ok ? { deviceKey, mqtt: named.value.mqtt } : { deviceKey };
}

/** Return the key from the answer that created a device (extension `devices`); null if the API gives none. */
export function deviceKeyOf(answer: unknown): DeviceKey | null {
  const made = parse(KeyAlone, answer);
  return made.ok ? withBroker(made.value.deviceKey, answer) : null;
}

/** Create a new key for a sensor or controller; the old one is refused from then on (extension `devices`). */
export async function renewDeviceKey(rest: RestClient, id: string | number): Promise<DeviceKey> {
  const Answer = Type.Object({ ...KeyAlone.properties, mqtt: Type.Optional(Type.Unknown()) });
  const answer = await rest.call({ method: "POST", path: apiPath.deviceKey(id), answer: Answer });
  return withBroker(answer.deviceKey, answer);
}
