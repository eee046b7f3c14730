import type { AccountSettings } from "@mulkko/shared/rest/settings";
import { DEFAULT_RUN_SECONDS, MAX_RUN_SECONDS } from "@mulkko/shared/rules/valve";

const MINUTE_SECONDS = 60;

/** Return the whole minutes that no manual opening of a controller or COT sensor may exceed (RUN-1). */
export function capMinutesOf(settings: AccountSettings | null, controllerId: string | number): number {
  const cap = settings?.controllers[`${controllerId}`]?.maxRunSeconds ?? MAX_RUN_SECONDS;
  return Math.floor(cap / MINUTE_SECONDS);
}

/**
 * Return the default minutes of an opening (RUN-1), not above the cap of its controller. Without a controller
 * return the channel's setting, whatever the cap.
 */
export function runMinutesOf(
  settings: AccountSettings | null,
  channelId: string | number,
  controllerId?: string | number,
): number {
  const seconds = settings?.channels[`${channelId}`]?.defaultRunSeconds ?? DEFAULT_RUN_SECONDS;
  const minutes = Math.max(1, Math.round(seconds / MINUTE_SECONDS));
  return controllerId === undefined ? minutes : Math.min(minutes, capMinutesOf(settings, controllerId));
}

/** Return the WATERFLOW sensor whose litres count for the channel (WAT-1); null for none. */
export function flowSensorOf(settings: AccountSettings | null, channelId: string | number): string | null {
  return settings?.channels[`${channelId}`]?.flowSensorId ?? null;
}
