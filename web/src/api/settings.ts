import { relayPath } from "@mulkko/shared/rest/routes";
import { AccountSettings, type ChannelSettingsBody } from "@mulkko/shared/rest/settings";
import type { RestClient } from "./client.ts";

type Id = string | number;

/** Fetch the relay's settings of the account. */
export function fetchSettings(rest: RestClient, signal: AbortSignal): Promise<AccountSettings> {
  return rest.call({ method: "GET", path: relayPath.settings, answer: AccountSettings, signal });
}

/** Set whether the relay closes openings made at the controller at the hard limit (RUN-3). */
export function adoptExternal(rest: RestClient, adopt: boolean): Promise<AccountSettings> {
  const body = { adoptExternal: adopt };
  return rest.call({ method: "PUT", path: relayPath.settings, answer: AccountSettings, body });
}

/** Change a channel's own run time and flow meter; omitted fields stay, null resets. */
export function changeChannelSettings(
  rest: RestClient,
  channelId: Id,
  body: ChannelSettingsBody,
): Promise<AccountSettings> {
  return rest.call({
    method: "PUT",
    path: relayPath.channelSettings(channelId),
    answer: AccountSettings,
    body,
  });
}

/** Set the longest manual opening of a controller, s; null resets. */
export function changeRunCap(
  rest: RestClient,
  controllerId: Id,
  maxRunSeconds: number | null,
): Promise<AccountSettings> {
  return rest.call({
    method: "PUT",
    path: relayPath.controllerSettings(controllerId),
    answer: AccountSettings,
    body: { maxRunSeconds },
  });
}
