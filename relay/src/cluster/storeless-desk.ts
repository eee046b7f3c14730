import { channelIdOf } from "@mulkko/shared/live/keys";
import { type AccountState, allChannels, channelsOfFarm } from "../core/farm-channels.ts";
import type {
  CloseAllOutcome,
  ClosedChannel,
  CommandDesk,
  CommandOutcome,
  CommandRequest,
} from "../ports/commands.ts";
import type { Log } from "../ports/log.ts";
import type { SendResult, ValveUpstream } from "../ports/valves.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import { closeOf } from "../valves/close-all.ts";
import { outcomeOf } from "../valves/forward.ts";
import { REFUSED } from "../valves/press-rules.ts";

/** Closes that one call may send at the same time without a store. */
const CLOSES_AT_MOST = 2_000;

/**
 * The valve desk of an account whose owner cannot be reached, because the store is away (NODE-3). Nothing is opened,
 * as its end could not be kept. A close is sent at once with the token of the person who pressed, and told to the
 * log of this process.
 *
 * @param state this node's copy of the account, if it has one
 */
export function createStorelessDesk(parts: {
  upstream: Pick<ValveUpstream, "send">;
  state: AccountState | null;
  log: Log;
}): CommandDesk {
  const { upstream, state, log } = parts;
  const close = async (request: CommandRequest): Promise<CommandOutcome> => {
    const { commandId, form, controllerId, number, payload, token, traceId, by } = request;
    const result: SendResult = await upstream.send({
      commandId,
      form,
      controllerId,
      number,
      command: request.command,
      payload,
      token,
      traceId,
    });
    log.warn(
      { commandId, controllerId, number, by: by.id, traceId, result: result.kind },
      "a valve was closed without the store",
    );
    const { state: reached, reason } = outcomeOf(result);
    return {
      ok: true,
      record: { commandId, state: reached, target: 2, until: null, ...(reason === null ? {} : { reason }) },
    };
  };
  const closeAll: CommandDesk["closeAll"] = async (request): Promise<CloseAllOutcome> => {
    if (state === null) return REFUSED.storeDown;
    const { farmId, jobId } = request;
    const keys = farmId === null ? allChannels(state) : channelsOfFarm(state, farmId);
    if (keys === null) return REFUSED.notFound;
    const closeOne = async (key: string): Promise<ClosedChannel> => {
      const command = closeOf(request, key, state);
      const outcome = await close(command);
      const { commandId, controllerId, number } = command;
      return {
        channelId: channelIdOf(key),
        controllerId,
        number,
        commandId,
        state: outcome.ok ? outcome.record.state : "failed",
        reason: outcome.ok ? (outcome.record.reason ?? null) : outcome.code,
        activeMode: "none",
      };
    };
    return {
      ok: true,
      jobId,
      channels: await Promise.all(keys.slice(0, CLOSES_AT_MOST).map(closeOne)),
    };
  };
  return {
    command: async (request) => (request.target === 2 ? close(request) : REFUSED.storeDown),
    // What became of the opening is known to the store alone; the client asks again until it is back.
    withdraw: async () => REFUSED.storeDown,
    closeAll,
    commands: async () => [],
    async waterings() {
      throw new StoreUnavailableError("the store is away, and with it the waterings");
    },
  };
}
