import { relayPath } from "@mulkko/shared/rest/routes";
import { AccountSettings, type ChannelSettingsBody } from "@mulkko/shared/rest/settings";
import type { RestClient } from "./client.ts";

type Id = string | number;

/** What the relay keeps for the account. */
export function fetchSettings(rest: RestClient, signal: AbortSignal): Promise<AccountSettings> {
  return rest.call({ method: "GET", path: relayPath.settings, answer: AccountSettings, signal });
}

/** RUN-3: whether the relay closes, at the hard cap, what somebody opened at the controller. */
export function adoptExternal(rest: RestClient, adopt: boolean): Promise<AccountSettings> {
  const body = { adoptExternal: adopt };
  return rest.call({ method: "PUT", path: relayPath.settings, answer: AccountSettings, body });
}

/** A channel's own run time and flow meter; what is left out stays, null takes back. */
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

/** The longest manual opening of a controller, s; null takes back. */
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
