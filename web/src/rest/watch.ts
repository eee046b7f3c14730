import { relayPath } from "@mulkko/shared/rest/routes";
import { LogoutCheck, WatchState } from "@mulkko/shared/rest/watch";
import type { RestClient } from "./client.ts";

/** Key of {@link fetchWatch}. */
export const WATCH = ["watch"];

/** Fetch whether the relay watches the farm while no user is signed in. */
export function fetchWatch(rest: RestClient, signal: AbortSignal): Promise<WatchState> {
  return rest.call({ method: "GET", path: relayPath.watch, answer: WatchState, signal });
}

/** Stop watching: the relay gives up its own session of this farm. */
export function stopWatching(rest: RestClient): Promise<WatchState> {
  return rest.call({ method: "POST", path: relayPath.stopWatching, answer: WatchState });
}

/** Undo a stop; only if {@link WatchState} allows it. */
export function startWatching(rest: RestClient): Promise<WatchState> {
  return rest.call({ method: "POST", path: relayPath.startWatching, answer: WatchState });
}

/** Maximum wait of a logout for the list of valves to close, ms. */
const CHECK_TIMEOUT_MS = 5_000;

/** Fetch the valves that a logout closes first (CMD-15). */
export function fetchLogoutCheck(rest: RestClient, signal: AbortSignal): Promise<LogoutCheck> {
  return rest.call({
    method: "GET",
    path: relayPath.logout,
    answer: LogoutCheck,
    signal,
    timeoutMs: CHECK_TIMEOUT_MS,
  });
}
