import { Display, DisplayList, type DisplaySettings, PendingCode } from "@mulkko/shared/rest/displays";
import { relayPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import type { RestClient } from "./client.ts";

/** Fetch the user's own screens, all screens for an administrator; most recently paired first. */
export async function fetchDisplays(rest: RestClient, signal: AbortSignal): Promise<readonly Display[]> {
  const call = { method: "GET", path: relayPath.displays, answer: DisplayList, signal } as const;
  return (await rest.call(call)).displays;
}

/** Fetch the screen that waits with this code. @throws ApiError 404 there is none, 429 too many attempts */
export function fetchPendingCode(rest: RestClient, code: string, signal: AbortSignal): Promise<PendingCode> {
  return rest.call({ method: "GET", path: relayPath.displayCode(code), answer: PendingCode, signal });
}

/**
 * @throws ApiError 404 the code has expired, 409 the limit of paired screens is reached, 422 a field is not
 * valid
 */
export function approveDisplay(rest: RestClient, code: string, settings: DisplaySettings): Promise<Display> {
  const body = { code, settings };
  return rest.call({ method: "POST", path: relayPath.displays, answer: Display, body });
}

/** @throws ApiError 404 it was deleted, 422 a field is not valid */
export function changeDisplay(rest: RestClient, id: string, settings: DisplaySettings): Promise<Display> {
  const body = { settings };
  return rest.call({ method: "PUT", path: relayPath.display(id), answer: Display, body });
}

/** Revoke a screen's token. @throws ApiError 404 it was deleted */
export async function revokeDisplay(rest: RestClient, id: string): Promise<void> {
  await rest.call({ method: "DELETE", path: relayPath.display(id), answer: Type.Unknown() });
}
