import { relayStorage } from "@mulkko/shared/rest/operations/relay-calls";
import { StorageState } from "@mulkko/shared/rest/storage";
import type { Timers } from "@mulkko/shared/rules/clock";
import type { Log } from "../runtime/log.ts";
import type { UpstreamClient } from "./client.ts";
import { type RelayKey, repeatWithKey } from "./relay-key.ts";

/** Polls the farm API's own report on storing readings. */
export interface StoragePoll {
  /** Null if the API does not report it. */
  readonly state: StorageState | null;
  close(): void;
}

/** Poll interval, ms. */
const ASK_EVERY_MS = 5_000;
const TIMEOUT_MS = 4_000;

/**
 * Poll a farm API with the extension `relay-storage` for its storage state.
 *
 * @param deps.client a separate client: an API without a database answers this request only
 */
export function pollStorage(deps: {
  client: Pick<UpstreamClient, "get">;
  relayKey: RelayKey;
  timers: Timers;
  log: Log;
  onState: (state: StorageState | null) => void;
}): StoragePoll {
  const { client, relayKey, timers, log, onState } = deps;
  let state: StorageState | null = null;

  const become = (next: StorageState | null): void => {
    state = next;
    onState(next);
  };
  const ask = async (key: string): Promise<void> => {
    const how = { headers: { relayKey: key }, limits: { ms: TIMEOUT_MS }, unit: "storage" };
    become(await client.get(relayStorage.path, StorageState, how));
  };
  const poll = repeatWithKey("relay-storage", ASK_EVERY_MS, ask, {
    relayKey,
    timers,
    // The link monitor reports an unavailable API; the last answer stays valid.
    onError: (error) =>
      log.debug({ event: "storage-poll-failed", err: error }, "failed to poll storage state"),
  });

  return {
    get state() {
      return state;
    },
    close: poll.close,
  };
}
