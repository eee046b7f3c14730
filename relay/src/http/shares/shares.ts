import type { Timers } from "@mulkko/shared/rules/clock";
import { Places } from "../../runtime/places.ts";
import { type Connect, PlacedCalls } from "./placed-calls.ts";
import { BODY_POOLS } from "./pools.ts";

/** All that the callers of the proxies share. */
export interface Shares {
  readonly calls: PlacedCalls;
  /** Room for bodies, bytes. */
  readonly bodies: { readonly account: Places; readonly stranger: Places };
  /** The pools by their names in the metrics. */
  readonly pools: Readonly<Record<string, Places>>;
}

/** @param connect opens the connections to the farm API; by HTTP by default */
export function createShares(timers: Timers, connect?: Connect): Shares {
  const calls = new PlacedCalls(timers, connect);
  const account = new Places(BODY_POOLS.account, timers);
  const stranger = new Places(BODY_POOLS.stranger, timers);
  const pools = { ...calls.places, "account-bodies": account, "stranger-bodies": stranger };
  return { calls, bodies: { account, stranger }, pools };
}
