import { relayPath } from "@mulkko/shared/rest/routes";
import { AccountSettings, type ChannelSettingsBody } from "@mulkko/shared/rest/settings";
import { get, type Id, type RestClient } from "./client.ts";

const change = (rest: RestClient, path: string, body: object) =>
  rest.call({ method: "PUT", path, answer: AccountSettings, body });

/** Fetch the relay's settings of the account. */
export const fetchSettings = (rest: RestClient, signal: AbortSignal) =>
  get(rest, relayPath.settings, AccountSettings, signal);

/** Set whether the relay closes openings made at the controller at the hard limit (RUN-3). */
export const adoptExternal = (rest: RestClient, adopt: boolean) =>
  change(rest, relayPath.settings, { adoptExternal: adopt });

/** Change a channel's own run time and flow meter; omitted fields stay, null resets. */
export const changeChannelSettings = (rest: RestClient, channelId: Id, body: ChannelSettingsBody) =>
  change(rest, relayPath.channelSettings(channelId), body);

/** Set the longest manual opening of a controller, s; null resets. */
export const changeRunCap = (rest: RestClient, controllerId: Id, maxRunSeconds: number | null) =>
  change(rest, relayPath.controllerSettings(controllerId), { maxRunSeconds });
