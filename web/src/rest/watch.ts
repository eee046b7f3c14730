import { relayPath } from "@mulkko/shared/rest/routes";
import { WatchState } from "@mulkko/shared/rest/watch";
import type { RestClient } from "./client.ts";

/** Whether the farm is watched while nobody is signed in. */
export function fetchWatch(rest: RestClient, signal: AbortSignal): Promise<WatchState> {
  return rest.call({ method: "GET", path: relayPath.watch, answer: WatchState, signal });
}

/** The relay gives up its own session for this farm. */
export function stopWatching(rest: RestClient): Promise<WatchState> {
  return rest.call({ method: "POST", path: relayPath.stopWatching, answer: WatchState });
}

/** Undoes a stop; only where {@link WatchState} says that it may. */
export function startWatching(rest: RestClient): Promise<WatchState> {
  return rest.call({ method: "POST", path: relayPath.startWatching, answer: WatchState });
}
