import type { DeviceProfile } from "@mulkko/shared/rest/device-profile";

/** Return the decoders that match a device type, and the current one whatever its type. */
export function fittingProfiles(
  profiles: readonly DeviceProfile[],
  deviceType: string,
  chosen: string,
): readonly DeviceProfile[] {
  return profiles.filter(({ name, deviceTypes }) => name === chosen || deviceTypes.includes(deviceType));
}
