import { createHash } from "node:crypto";
import { channelIdOf } from "@mulkko/shared/live/keys";
import { type AccountState, allChannels, channelsOfFarm } from "../core/farm-channels.ts";
import type {
  CloseAllOutcome,
  CloseAllRequest,
  ClosedChannel,
  CommandOutcome,
  CommandRequest,
} from "../ports/commands.ts";
import type { PutDown } from "./channel-presses.ts";
import type { DeskTools } from "./desk-tools.ts";
import { createJointStep } from "./joint-step.ts";
import { REFUSED } from "./press-rules.ts";

const ID_LENGTH = 24;

/** The id of one channel's close: the same job asked for twice closes once (CMD-7). */
export function closeIdOf(jobId: string, channelKey: string): string {
  const digest = createHash("sha256").update(`${jobId}\n${channelKey}`).digest("base64url");
  return `all-${digest.slice(0, ID_LENGTH)}`;
}

/**
 * Replaces the intent of every channel of a farm by a close, in one durable step (RUN-5), and answers with how far
 * each has come. What is closed already is closed again: nobody but the valve knows better.
 *
 * @param press gives one channel its command, kept in the way that it is handed
 */
export async function closeAll(
  request: CloseAllRequest,
  tools: Pick<DeskTools, "writer" | "durable" | "timers">,
  press: (request: CommandRequest, putDown: PutDown) => Promise<CommandOutcome>,
): Promise<CloseAllOutcome> {
  const { writer } = tools;
  const { jobId, farmId } = request;
  const keys = farmId === null ? allChannels(writer) : channelsOfFarm(writer, farmId);
  if (keys === null) return REFUSED.notFound;
  const joint = createJointStep(keys, tools);
  const closeOne = async (channelKey: string): Promise<ClosedChannel> => {
    const command = closeOf(request, channelKey, writer);
    const outcome = await press(command, joint.partOf(channelKey));
    joint.without(channelKey);
    const { commandId, controllerId, number } = command;
    return {
      channelId: channelIdOf(channelKey),
      controllerId,
      number,
      commandId,
      activeMode: activeModeOf(writer.get(channelKey)?.modes),
      ...(outcome.ok
        ? { state: outcome.record.state, reason: outcome.record.reason ?? null }
        : { state: "refused", reason: outcome.code }),
    };
  };
  return { ok: true, jobId, channels: await Promise.all(keys.map(closeOne)) };
}

/** The close of one channel. */
export function closeOf(request: CloseAllRequest, channelKey: string, state: AccountState): CommandRequest {
  const { farmId: _, jobId, ...rest } = request;
  const channel = state.get(channelKey);
  const controllerId = String(channel?.controllerId);
  return {
    ...rest,
    commandId: closeIdOf(jobId, channelKey),
    controllerId,
    number: Number(channel?.number),
    command: "onoff",
    payload: 2,
    target: 2,
    maxRunSeconds: undefined,
    form: state.get(`sensor:${controllerId}`) === undefined ? "controller" : "sensor",
  };
}

function activeModeOf(modes: unknown): ClosedChannel["activeMode"] {
  const active = typeof modes === "object" && modes !== null ? Reflect.get(modes, "active") : "none";
  return active === "automatic" || active === "period" || active === "reservation" ? active : "none";
}
