import { Display, DisplayList, type DisplaySettings, PendingCode } from "@mulkko/shared/rest/displays";
import { relayPath } from "@mulkko/shared/rest/routes";
import { Type } from "typebox";
import type { RestClient } from "./client.ts";

/** One's own screens; an administrator's are everybody's. Those that were paired last come first. */
export async function fetchDisplays(rest: RestClient, signal: AbortSignal): Promise<readonly Display[]> {
  const call = { method: "GET", path: relayPath.displays, answer: DisplayList, signal } as const;
  return (await rest.call(call)).displays;
}

/** The screen that waits with this code. @throws ApiError 404 none does, 429 too many were tried */
export function fetchPendingCode(rest: RestClient, code: string, signal: AbortSignal): Promise<PendingCode> {
  return rest.call({ method: "GET", path: relayPath.displayCode(code), answer: PendingCode, signal });
}

/** @throws ApiError 404 the code is over, 409 as many screens are paired as may, 422 a field is not valid */
export function approveDisplay(rest: RestClient, code: string, settings: DisplaySettings): Promise<Display> {
  const body = { code, settings };
  return rest.call({ method: "POST", path: relayPath.displays, answer: Display, body });
}

/** @throws ApiError 404 it is gone, 422 a field is not valid */
export function changeDisplay(rest: RestClient, id: string, settings: DisplaySettings): Promise<Display> {
  const body = { settings };
  return rest.call({ method: "PUT", path: relayPath.display(id), answer: Display, body });
}

/** Its token opens nothing any more. @throws ApiError 404 it is gone */
export async function revokeDisplay(rest: RestClient, id: string): Promise<void> {
  await rest.call({ method: "DELETE", path: relayPath.display(id), answer: Type.Unknown() });
}
