import { createHash } from "node:crypto";
import type { Timers } from "@mulkko/shared/rules/clock";
import { channelIdOf, sensorKey } from "@mulkko/shared/rules/device-keys";
import { type AccountValues, allChannels, channelsOfFarm } from "../account/farm-index.ts";
import type { DocumentChange } from "../store/collections.ts";
import type { DocumentWriter } from "../store/write-behind.ts";
import type { ChannelDeps, Persist } from "./channel.ts";
import { REFUSED } from "./command-rules.ts";
import type {
  CloseAllOutcome,
  CloseAllRequest,
  ClosedChannel,
  CommandOutcome,
  CommandRequest,
} from "./commands.ts";

/** ms that a joint step waits for a busy channel. That channel then writes its step alone. */
export const JOINT_MS = 500;

/** One durable step that several channels share (RUN-5): all of it is stored, or nothing. */
interface JointStep {
  /** Return the function by which a member persists its part. */
  partOf(member: string): Persist;
  /** Note that a member has nothing to persist, or has done so. */
  without(member: string): void;
}

/**
 * Create a joint step.
 * @param members channels that persist a part, or leave the step
 */
function createJointStep(
  members: readonly string[],
  durable: Pick<DocumentWriter, "must">,
  timers: Timers,
): JointStep {
  const awaited = new Set(members);
  const parts: DocumentChange[] = [];
  let write: () => void = () => undefined;
  const written = new Promise<void>((resolve) => {
    write = resolve;
  }).then(() => durable.must(parts));
  // The members with a part receive a failure. Without a part nothing was lost.
  written.catch(() => undefined);
  let late = false;
  const go = (): void => {
    late = true;
    timer.cancel();
    if (parts.length > 0) write();
  };
  const timer = timers.after(JOINT_MS, go);
  const done = (member: string): void => {
    if (awaited.delete(member) && awaited.size === 0 && !late) go();
  };
  return {
    partOf: (member) => (step) => {
      if (late) return durable.must(step);
      parts.push(...step);
      done(member);
      return written;
    },
    without: done,
  };
}

const ID_LENGTH = 24;

/** Return the id of one channel's close. The same job given twice closes once (CMD-7). */
export function closeIdOf(jobId: string, channelKey: string): string {
  const digest = createHash("sha256").update(`${jobId}\n${channelKey}`).digest("base64url");
  return `all-${digest.slice(0, ID_LENGTH)}`;
}

/**
 * Replace the intent of every channel of a farm by a close in one durable step (RUN-5), and return the state
 * of each. A valve that is reported closed is closed again, because the report may be out of date.
 * @param commandChannel commands one channel and persists the command in the given way
 */
export async function closeAll(
  request: CloseAllRequest,
  deps: Pick<ChannelDeps, "state" | "durable" | "time">,
  commandChannel: (request: CommandRequest, persist: Persist) => Promise<CommandOutcome>,
): Promise<CloseAllOutcome> {
  const { state } = deps;
  const { jobId, farmId } = request;
  const keys = farmId === null ? allChannels(state) : channelsOfFarm(state, farmId);
  if (keys === null) return REFUSED.notFound;
  const joint = createJointStep(keys, deps.durable, deps.time);
  let isKept = true;
  const closeOne = async (channelKey: string): Promise<ClosedChannel> => {
    const command = closeOf(request, channelKey, state);
    const outcome = await commandChannel(command, joint.partOf(channelKey));
    joint.without(channelKey);
    if (outcome.ok && outcome.record.kept === false) isKept = false;
    const { commandId, controllerId, number } = command;
    return {
      channelId: channelIdOf(channelKey),
      controllerId,
      number,
      commandId,
      activeMode: activeModeOf(state.get(channelKey)?.modes),
      ...(outcome.ok
        ? { state: outcome.record.state, reason: outcome.record.reason ?? null }
        : { state: "refused", reason: outcome.code }),
    };
  };
  const channels = await Promise.all(keys.map(closeOne));
  return { ok: true, jobId, channels, ...(isKept ? {} : { kept: false }) };
}

/** Return the close command for one channel. */
export function closeOf(request: CloseAllRequest, channelKey: string, state: AccountValues): CommandRequest {
  const { farmId: _, jobId, ...rest } = request;
  return { ...rest, commandId: closeIdOf(jobId, channelKey), ...closeFields(channelKey, state) };
}

/** Return the fields of any command that closes a channel. */
export function closeFields(channelKey: string, state: Pick<AccountValues, "get">) {
  const channel = state.get(channelKey);
  const controllerId = String(channel?.controllerId);
  return {
    controllerId,
    number: Number(channel?.number),
    command: "onoff",
    payload: 2,
    target: 2,
    form: state.get(sensorKey(controllerId)) === undefined ? "controller" : "sensor",
  } as const;
}

/** Return the mode in charge of a channel, of its value in the live state. */
export function activeModeOf(modes: unknown): ClosedChannel["activeMode"] {
  const active = typeof modes === "object" && modes !== null ? Reflect.get(modes, "active") : "none";
  return active === "automatic" || active === "period" || active === "reservation" ? active : "none";
}
