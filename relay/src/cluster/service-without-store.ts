import { channelIdOf } from "@mulkko/shared/rules/device-keys";
import { type AccountValues, allChannels, channelsOfFarm } from "../account/farm-index.ts";
import type { Log } from "../runtime/log.ts";
import { StoreUnavailableError } from "../store/errors.ts";
import type { SendResult, ValveUpstream } from "../upstream/outgoing-command.ts";
import { activeModeOf, closeOf } from "../valves/close-all.ts";
import { REFUSED } from "../valves/command-rules.ts";
import type {
  CloseAllOutcome,
  ClosedChannel,
  CommandOutcome,
  CommandRequest,
  CommandService,
} from "../valves/commands.ts";
import { outcomeOf } from "../valves/forward.ts";

/** Closes that one call may send at the same time without a store. */
const CLOSES_AT_MOST = 2_000;

/**
 * Create the valve service of an account whose owner cannot be reached, because the store is away (NODE-3).
 * It opens nothing, because the end of a run could not be stored. It sends a close at once with the person's
 * token, and logs it in this process.
 * @param state this node's copy of the account, if it has one
 */
export function createServiceWithoutStore(deps: {
  upstream: Pick<ValveUpstream, "send">;
  state: AccountValues | null;
  log: Log;
}): CommandService {
  const { upstream, state, log } = deps;
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
      {
        event: "valve-closed-without-store",
        commandId,
        controllerId,
        number,
        by: by.id,
        traceId,
        result: result.kind,
      },
      "closed valve without store",
    );
    const { state: reached, reason } = outcomeOf(result);
    return {
      ok: true,
      record: {
        ...{ commandId, state: reached, target: 2, until: null, kept: false },
        ...(reason === null ? {} : { reason }),
      },
    };
  };
  const closeAll: CommandService["closeAll"] = async (request): Promise<CloseAllOutcome> => {
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
        activeMode: activeModeOf(state.get(key)?.modes),
      };
    };
    return {
      ok: true,
      jobId,
      kept: false,
      channels: await Promise.all(keys.slice(0, CLOSES_AT_MOST).map(closeOne)),
    };
  };
  return {
    command: async (request) => (request.target === 2 ? close(request) : REFUSED.storeDown),
    // Only the store knows the outcome of the opening; the client repeats its request until the store is
    // back.
    withdraw: async () => REFUSED.storeDown,
    closeAll,
    commands: async () => [],
    async waterings() {
      throw new StoreUnavailableError("the relay's store is unavailable, and so are the waterings");
    },
  };
}
