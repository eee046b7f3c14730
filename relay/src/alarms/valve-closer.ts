import type { Actor } from "@mulkko/shared/live/devices";
import type { Timers } from "@mulkko/shared/rules/clock";
import { sensorKey } from "@mulkko/shared/rules/device-keys";
import type { AccountWriter } from "../account/writer.ts";
import type { Log } from "../runtime/log.ts";
import type { ValveService } from "../valves/valves.ts";

/** ms until a refused close is repeated. */
const AGAIN_MS = 30_000;

/** A valve that the relay closes by itself. */
export interface OwnClose {
  readonly channelKey: string;
  /** The same id twice closes once, also across a restart (CMD-7). */
  readonly commandId: string;
  readonly by: Actor;
  /**
   * Return true as long as the close is wanted: the valve may have been closed, or opened by a person since.
   */
  readonly stands: () => boolean;
}

/**
 * Command closes to the account's valves, repeated until they are accepted. The valves then complete them
 * (CMD-4).
 */
export interface ValveCloser {
  close(wanted: OwnClose): void;
  stop(): void;
}

export function createValveCloser(deps: {
  writer: Pick<AccountWriter, "get">;
  valves: () => Pick<ValveService, "command"> | undefined;
  timers: Timers;
  log: Log;
}): ValveCloser {
  const { writer, timers, log } = deps;
  const waiting = new Map<string, { cancel(): void }>();

  const give = async ({ channelKey, commandId, by }: OwnClose): Promise<boolean> => {
    const channel = writer.get(channelKey);
    const valves = deps.valves();
    if (!channel || !valves) return false;
    const controllerId = String(channel.controllerId);
    const outcome = await valves.command({
      commandId,
      controllerId,
      number: Number(channel.number),
      command: "onoff",
      payload: 2,
      target: 2,
      maxRunSeconds: undefined,
      by,
      token: "",
      byRelay: true,
      form: writer.get(sensorKey(controllerId)) === undefined ? "controller" : "sensor",
      origin: "relay",
      traceId: commandId,
    });
    if (!outcome.ok)
      log.warn({ event: "close-rejected", channelKey, code: outcome.code }, "valve rejected close, retrying");
    return outcome.ok;
  };
  const attempt = async (wanted: OwnClose): Promise<void> => {
    let taken = false;
    try {
      taken = await give(wanted);
    } catch (error) {
      log.error(
        { event: "close-failed", err: error, channelKey: wanted.channelKey },
        "cannot send close to valve",
      );
    }
    if (taken || !wanted.stands() || stopped) return;
    const again = timers.after(AGAIN_MS, () => close(wanted));
    waiting.set(wanted.channelKey, again);
  };
  const close = (wanted: OwnClose): void => {
    waiting.get(wanted.channelKey)?.cancel();
    waiting.delete(wanted.channelKey);
    if (wanted.stands()) void attempt(wanted);
  };
  let stopped = false;
  return {
    close,
    stop() {
      stopped = true;
      for (const timer of waiting.values()) timer.cancel();
    },
  };
}
