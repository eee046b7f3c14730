import type { TokenCipher } from "../upstream/token-cipher.ts";
import { ANSWER_WITHIN_MS } from "../valves/answers.ts";
import type { CloseAllRequest, CommandRequest, CommandService } from "../valves/commands.ts";
import type { Calls } from "./calls.ts";
import { CloseAllReply, CommandReply, CommandsReply, WateringsReply } from "./messages.ts";

/** ms of an answer's time reserved for the network between the nodes. */
const WAY_MS = 500;

/** Create the valve service of an account that another node owns. */
export function createRemoteService(
  accountId: string,
  { calls, cipher }: { calls: Calls; cipher: TokenCipher },
): CommandService {
  /** Return the encrypted token, and the time left for the owner. */
  const carried = (request: CommandRequest | CloseAllRequest) => {
    const within = request.answerWithinMs ?? ANSWER_WITHIN_MS;
    return { token: cipher.encrypt(request.token), answerWithinMs: Math.max(WAY_MS, within - WAY_MS) };
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
    async waterings(since) {
      const call = { do: "waterings", since, watchedSince: true } as const;
      const reply = await calls.ask(accountId, call, WateringsReply, ANSWER_WITHIN_MS);
      return Array.isArray(reply) ? { waterings: reply, watchedSince: null } : reply;
    },
  };
}

function withoutUndefined({ maxRunSeconds, ...request }: CommandRequest) {
  return maxRunSeconds === undefined ? request : { ...request, maxRunSeconds };
}
