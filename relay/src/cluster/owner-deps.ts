import type { AccountDeps } from "../account/account-deps.ts";
import type { NodeReporter } from "../fleet/reporter.ts";
import type { AccountSessions } from "../upstream/account-sessions.ts";
import type { UpstreamClock } from "../upstream/upstream-clock.ts";
import type { CreateValveService } from "../valves/valves.ts";

/** Dependencies common to every account's owner. */
export interface OwnerDeps extends AccountDeps {
  readonly sessions: AccountSessions;
  readonly upstreamClock: UpstreamClock;
  readonly createService: CreateValveService;
  /** Called for every received reading with its account, sensor and time (ms UTC). */
  readonly onReading?: (accountId: string, sensorId: string, at: number) => void;
  /** Receives the state of the account's devices for the fleet. */
  readonly fleet: Pick<NodeReporter, "account">;
}
