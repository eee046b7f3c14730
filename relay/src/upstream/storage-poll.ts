import { apiPath } from "@mulkko/shared/rest/routes";
import { StorageState } from "@mulkko/shared/rest/storage";
import type { Timers } from "@mulkko/shared/rules/clock";
import type { Log } from "../runtime/log.ts";
import type { UpstreamClient } from "./client.ts";
import type { CapabilitySource } from "./upstream.ts";

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
 * @param deps.key the shared `RELAY_KEY`; without it nothing is asked
 */
export function pollStorage(deps: {
  client: Pick<UpstreamClient, "get">;
  capabilities: Pick<CapabilitySource, "has">;
  timers: Timers;
  key: string | undefined;
  log: Log;
  onState: (state: StorageState | null) => void;
}): StoragePoll {
  const { client, capabilities, timers, key, log, onState } = deps;
  let state: StorageState | null = null;
  let closed = false;

  const become = (next: StorageState | null): void => {
    state = next;
    onState(next);
  };
  const ask = async (relayKey: string): Promise<void> => {
    const how = { headers: { relayKey }, timeoutMs: TIMEOUT_MS, unit: "storage" };
    become(await client.get(apiPath.relayStorage, StorageState, how));
  };
  const askRegularly = (): void => {
    const asked = key !== undefined && capabilities.has("relay-storage") ? ask(key) : undefined;
    (asked ?? Promise.resolve())
      // The link monitor reports an unavailable API; the last answer stays valid.
      .catch((error: unknown) =>
        log.debug({ event: "storage-poll-failed", err: error }, "failed to poll storage state"),
      )
      .finally(() => {
        if (!closed) timer = timers.after(ASK_EVERY_MS, askRegularly);
      });
  };
  let timer = timers.after(0, askRegularly);

  return {
    get state() {
      return state;
    },
    close() {
      closed = true;
      timer.cancel();
    },
  };
}
