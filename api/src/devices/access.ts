import { type Caller, ownerFilter } from "../accounts/auth.ts";
import { notFound } from "../http/api-error.ts";
import { uuidOf } from "../http/params.ts";
import type { DeviceIndex, KnownDevice } from "./device-index.ts";

/**
 * Return the device of an id if the caller may use it: the caller's own, or any for an administrator.
 *
 * @param kind its required kind, also named in the error
 * @throws ApiError 404
 */
export function deviceOfCaller(
  deviceIndex: DeviceIndex,
  caller: Caller,
  id: string,
  kind: KnownDevice["kind"] | "device",
): KnownDevice {
  const device = deviceIndex.byId(uuidOf(id, kind));
  const owner = ownerFilter(caller);
  const isMine = device !== undefined && (owner === null || device.accountId === owner);
  if (!isMine || (kind !== "device" && device.kind !== kind)) throw notFound(kind);
  return device;
}
