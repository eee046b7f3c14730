import type { Extension } from "@mulkko/shared/rest/capabilities";
import type { Timers } from "@mulkko/shared/rules/clock";
import type { CapabilitySource } from "./capabilities.ts";

/** Return the shared `RELAY_KEY` for the calls of an extension; undefined without it, or without a key. */
export type RelayKey = (extension: Extension) => string | undefined;

export const createRelayKey =
  (key: string | undefined, capabilities: Pick<CapabilitySource, "has">): RelayKey =>
  (extension) =>
    capabilities.has(extension) ? key : undefined;

/**
 * Repeat a call of an extension for relays while the farm API has it.
 *
 * @param everyMs pause between an answer and the next call
 */
export function repeatWithKey(
  extension: Extension,
  everyMs: number,
  call: (relayKey: string) => Promise<void>,
  deps: { relayKey: RelayKey; timers: Timers; onError: (error: unknown) => void },
): { close(): void } {
  let closed = false;
  const repeat = async (): Promise<void> => {
    const key = deps.relayKey(extension);
    try {
      if (key !== undefined) await call(key);
    } catch (error) {
      deps.onError(error);
    }
    if (!closed) timer = deps.timers.after(everyMs, () => void repeat());
  };
  let timer = deps.timers.after(0, () => void repeat());
  return {
    close() {
      closed = true;
      timer.cancel();
    },
  };
}
