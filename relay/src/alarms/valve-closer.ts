import type { Actor } from "@mulkko/shared/live/devices";
import { sensorKey } from "@mulkko/shared/live/keys";
import type { Log } from "../ports/log.ts";
import type { Timers } from "../ports/timers.ts";
import type { ValveDesk } from "../ports/valves.ts";
import type { AccountWriter } from "../ports/writer.ts";

/** ms until a close that the account's valves did not take is given to them again. */
const AGAIN_MS = 30_000;

/** A valve that the relay closes by itself. */
export interface OwnClose {
  readonly channelKey: string;
  /** The same id twice closes once, also over a restart (CMD-7). */
  readonly commandId: string;
  readonly by: Actor;
  /** True as long as it is to be closed: somebody may have, or may have opened it since. */
  readonly stands: () => boolean;
}

/** Gives closes to the account's valves, which see them through (CMD-4), until they have taken them. */
export interface ValveCloser {
  close(wanted: OwnClose): void;
  stop(): void;
}

export function createValveCloser(parts: {
  writer: Pick<AccountWriter, "get">;
  valves: () => Pick<ValveDesk, "command"> | undefined;
  timers: Timers;
  log: Log;
}): ValveCloser {
  const { writer, timers, log } = parts;
  const waiting = new Map<string, { cancel(): void }>();

  const give = async ({ channelKey, commandId, by }: OwnClose): Promise<boolean> => {
    const channel = writer.get(channelKey);
    const valves = parts.valves();
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
    if (!outcome.ok) log.warn({ channelKey, code: outcome.code }, "a valve's close was not taken");
    return outcome.ok;
  };
  const attempt = async (wanted: OwnClose): Promise<void> => {
    let taken = false;
    try {
      taken = await give(wanted);
    } catch (error) {
      log.error({ err: error, channelKey: wanted.channelKey }, "a valve could not be told to close");
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
