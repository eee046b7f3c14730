import { Display, DisplayList, type DisplaySettings, PendingCode } from "@mulkko/shared/rest/displays";
import { relayPath } from "@mulkko/shared/rest/routes";
import { get, type RestClient, send } from "./client.ts";

/** Fetch the user's own screens, all screens for an administrator; most recently paired first. */
export const fetchDisplays = async (rest: RestClient, signal: AbortSignal): Promise<readonly Display[]> =>
  (await get(rest, relayPath.displays, DisplayList, signal)).displays;

/** Fetch the screen that waits with this code. @throws ApiError 404 there is none, 429 too many attempts */
export const fetchPendingCode = (rest: RestClient, code: string, signal: AbortSignal) =>
  get(rest, relayPath.displayCode(code), PendingCode, signal);

/**
 * @throws ApiError 404 the code has expired, 409 the limit of paired screens is reached, 422 a field is not
 * valid
 */
export const approveDisplay = (rest: RestClient, code: string, settings: DisplaySettings) =>
  rest.call({ method: "POST", path: relayPath.displays, answer: Display, body: { code, settings } });

/** @throws ApiError 404 it was deleted, 422 a field is not valid */
export const changeDisplay = (rest: RestClient, id: string, settings: DisplaySettings) =>
  rest.call({ method: "PUT", path: relayPath.display(id), answer: Display, body: { settings } });

/** Revoke a screen's token. @throws ApiError 404 it was deleted */
export const revokeDisplay = (rest: RestClient, id: string) =>
  send(rest, { method: "DELETE", path: relayPath.display(id) });
