import { notFound } from "../http/api-error.ts";
import { uuidOf } from "../http/params.ts";
import { type Caller, ownerFilter } from "../plugins/auth.ts";
import type { DeviceDirectory, KnownDevice } from "./directory.ts";

/**
 * The device of an id, if the caller may use it: one's own, or any for an administrator.
 *
 * @param kind what it must be; also what the error calls it
 * @throws ApiError 404
 */
export function deviceOfCaller(
  directory: DeviceDirectory,
  caller: Caller,
  id: string,
  kind: KnownDevice["kind"] | "device",
): KnownDevice {
  const device = directory.byId(uuidOf(id, kind));
  const owner = ownerFilter(caller);
  const isMine = device !== undefined && (owner === null || device.accountId === owner);
  if (!isMine || (kind !== "device" && device.kind !== kind)) throw notFound(kind);
  return device;
}
