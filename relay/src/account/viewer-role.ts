import type { Log } from "../runtime/log.ts";
import type { LinkMonitor } from "../upstream/link-monitor.ts";
import type { TokenProver } from "../upstream/tokens.ts";
import type { AccountState } from "./account-state.ts";

/**
 * Find out if an account is an administrator's, by its newest token. The role matters only while readings
 * are not stored; the proof is normally cached.
 */
export function createViewerRole(deps: {
  state: Pick<AccountState, "emit">;
  prover: TokenProver;
  link: LinkMonitor;
  log: Log;
}): { lent(token: string): void; close(): void } {
  const { state, prover, link, log } = deps;
  let newest: string | undefined;
  const look = (): void => {
    if (newest === undefined || link.state.notStoring === null) return;
    prover.prove(newest).then(
      (proof) => {
        if (proof.ok) state.emit("roleKnown", proof.proven.account.userType === "ADMIN");
      },
      (error: unknown) =>
        log.debug({ event: "role-unknown", err: error }, "failed to read the role of a viewer"),
    );
  };
  const stop = link.listen(look);
  return {
    lent(token) {
      newest = token;
      look();
    },
    close: stop,
  };
}
