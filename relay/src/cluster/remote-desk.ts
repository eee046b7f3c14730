import type { CloseAllRequest, CommandDesk, CommandRequest } from "../ports/commands.ts";
import { ANSWER_WITHIN_MS } from "../valves/answers.ts";
import type { Calls } from "./calls.ts";
import { CloseAllReply, CommandReply, CommandsReply, WateringsReply } from "./messages.ts";
import type { Seal } from "./seal.ts";

/** ms of an answer's time that the ways between the nodes may take. */
const WAY_MS = 500;

/** The valve desk of an account that another node owns. */
export function createRemoteDesk(
  accountId: string,
  { calls, seal }: { calls: Calls; seal: Seal },
): CommandDesk {
  /** The token as it may travel, and how long the owner has. */
  const carried = (request: CommandRequest | CloseAllRequest) => {
    const within = request.answerWithinMs ?? ANSWER_WITHIN_MS;
    return { token: seal.seal(request.token), answerWithinMs: Math.max(WAY_MS, within - WAY_MS) };
  };
  const within = (request: CommandRequest | CloseAllRequest): number =>
    request.answerWithinMs ?? ANSWER_WITHIN_MS;

  return {
    command: (request) =>
      calls.ask(
        accountId,
        { do: "command", ...withoutUndefined(request), ...carried(request) },
        CommandReply,
        within(request),
      ),
    withdraw: (opening) =>
      calls.ask(
        accountId,
        { do: "withdraw", ...withoutUndefined(opening), ...carried(opening) },
        CommandReply,
        within(opening),
      ),
    closeAll: (request) =>
      calls.ask(
        accountId,
        { do: "close-all", ...request, ...carried(request) },
        CloseAllReply,
        within(request),
      ),
    commands: ({ to, ...query }) =>
      calls.ask(
        accountId,
        { do: "commands", ...query, ...(Number.isFinite(to) ? { to } : {}) },
        CommandsReply,
        ANSWER_WITHIN_MS,
      ),
    waterings: (since) => calls.ask(accountId, { do: "waterings", since }, WateringsReply, ANSWER_WITHIN_MS),
  };
}

function withoutUndefined({ maxRunSeconds, ...request }: CommandRequest) {
  return maxRunSeconds === undefined ? request : { ...request, maxRunSeconds };
}
