import type { Timers } from "@mulkko/shared/rules/clock";
import type { AccountState, OwnClose } from "../account/account-state.ts";
import type { Log } from "../runtime/log.ts";
import { closeFields } from "./close-all.ts";
import type { ValveService } from "./valves.ts";

/** ms until a refused close is repeated. */
const AGAIN_MS = 30_000;

/**
 * Command the closes that the relay wants by itself, repeated until the account's valves accept them. The
 * valves then complete them (CMD-4).
 */
export function createRelayCloses(deps: {
  state: Pick<AccountState, "get" | "on">;
  valves: Pick<ValveService, "command">;
  timers: Timers;
  log: Log;
}): { close(): void } {
  const { state, valves, timers, log } = deps;
  const waiting = new Map<string, { cancel(): void }>();
  let closed = false;

  const command = async ({ channelKey, commandId, by }: OwnClose): Promise<boolean> => {
    if (state.get(channelKey) === undefined) return false;
    const outcome = await valves.command({
      ...closeFields(channelKey, state),
      commandId,
      by,
      token: "",
      byRelay: true,
      origin: "relay",
      traceId: commandId,
    });
    if (!outcome.ok)
      log.warn({ event: "close-rejected", channelKey, code: outcome.code }, "valve rejected close, retrying");
    return outcome.ok;
  };
  const attempt = async (wanted: OwnClose): Promise<void> => {
    waiting.get(wanted.channelKey)?.cancel();
    waiting.delete(wanted.channelKey);
    if (closed || !wanted.isWanted()) return;
    let accepted = false;
    try {
      accepted = await command(wanted);
    } catch (error) {
      log.error(
        { event: "close-failed", err: error, channelKey: wanted.channelKey },
        "cannot send close to valve",
      );
    }
    if (accepted || closed || !wanted.isWanted()) return;
    waiting.set(
      wanted.channelKey,
      timers.after(AGAIN_MS, () => void attempt(wanted)),
    );
  };
  state.on("closeWanted", (wanted) => void attempt(wanted));

  return {
    close() {
      closed = true;
      for (const timer of waiting.values()) timer.cancel();
    },
  };
}
