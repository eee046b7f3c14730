import { apiPath } from "@mulkko/shared/rest/routes";
import { StorageState } from "@mulkko/shared/rest/storage";
import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";
import type { CapabilitySource } from "../ports/upstream.ts";
import type { UpstreamClient } from "./client.ts";

/** Poll the farm API's own report on storing readings. */
export interface StoragePoll {
  /** Null where it does not say. */
  readonly state: StorageState | null;
  close(): void;
}

/** ms between two questions. */
const ASK_EVERY_MS = 5_000;
const TIMEOUT_MS = 4_000;

/**
 * Ask a farm API with the extension `relay-storage` whether it stores readings.
 *
 * @param parts.client one of its own: an API without a database answers this, and nothing else
 * @param parts.key the shared `RELAY_KEY`; without it nothing is asked
 */
export function pollStorage(parts: {
  client: Pick<UpstreamClient, "get">;
  capabilities: Pick<CapabilitySource, "has">;
  timers: Timers;
  key: string | undefined;
  log: Log;
  onState: (state: StorageState | null) => void;
}): StoragePoll {
  const { client, capabilities, timers, key, log, onState } = parts;
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
      // That the API is away is the link's to say; what it said last stands.
      .catch((error: unknown) =>
        log.debug({ err: error }, "the farm API did not say whether it stores readings"),
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
