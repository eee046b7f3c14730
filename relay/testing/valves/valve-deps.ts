import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import { DEFAULT_RUN_SECONDS, MAX_RUN_SECONDS } from "@mulkko/shared/rules/valve";
import { createAccountState } from "../../src/account/account-state.ts";
import type { AccountWriter } from "../../src/account/writer.ts";
import type { Log } from "../../src/runtime/log.ts";
import type { Documents } from "../../src/store/documents.ts";
import type { ValveUpstream } from "../../src/upstream/outgoing-command.ts";
import { createStoreTime } from "../../src/valves/store-time.ts";
import type { ValveServiceDeps } from "../../src/valves/valves.ts";
import { createFakeLog } from "./fake-writer.ts";

/**
 * Return the dependencies of a valve service for an account without settings and without a past.
 *
 * @param given.onRead called when the read of a channel is requested
 */
export function valveDeps(given: {
  writer: AccountWriter;
  store: Documents;
  upstream: ValveUpstream;
  clock: Clock;
  timers: Timers;
  log?: Log;
  onRead?: (channelKey: string, inMs: number) => void;
}): ValveServiceDeps {
  const { writer, store, upstream, clock, timers, log = createFakeLog(), onRead } = given;
  const state = createAccountState(writer);
  if (onRead) state.on("channelDue", onRead);
  return {
    state,
    store,
    upstream,
    settings: {
      runs: { capSeconds: () => MAX_RUN_SECONDS, defaultSeconds: () => DEFAULT_RUN_SECONDS },
      flowSensorOf: () => null,
      largestFlowOf: () => null,
    },
    past: { moistureOf: async () => null, meterReadings: async () => [], watchedSince: () => null },
    time: createStoreTime(clock, clock, timers),
    log,
  };
}
