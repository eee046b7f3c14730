import type { DeviceProfile } from "@mulkko/shared/rest/device-profile";

/** Decoders that fit a device type, and the one that is chosen whatever it fits. */
export function fittingProfiles(
  profiles: readonly DeviceProfile[],
  deviceType: string,
  chosen: string,
): readonly DeviceProfile[] {
  return profiles.filter(({ name, deviceTypes }) => name === chosen || deviceTypes.includes(deviceType));
}
