import { randomUUID } from "node:crypto";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { CloseAllAnswer, CommandsAnswer, CommandsQuery } from "@mulkko/shared/rest/command";
import { relayPath } from "@mulkko/shared/rest/routes";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import Type from "typebox";
import { RelayError } from "../plugins/relay-error.ts";
import type { CommandDesk } from "../ports/commands.ts";
import { ANSWER_WITHIN_MS } from "../valves/answers.ts";
import { actorOf, type Caller, callerOf, originOf } from "./caller.ts";
import { commandIdOf } from "./command-input.ts";
import { reachWithin } from "./reach.ts";
import { type CommandOptions, REACH_MS } from "./routes.ts";

/** In place of a farm's id: every channel of the account. */
const ALL = "all";

const FarmParams = Type.Object({ farmId: Type.String({ minLength: 1, maxLength: 64 }) });

/**
 * `POST /relay/farms/{id}/close-all` (RUN-5) and `GET /relay/commands` (CMD-9), answered by the account's valve
 * desk. How each channel goes on is told on the live stream, as with every command.
 */
export const closeAllPlugin = fp<Omit<CommandOptions, "arrivals">>(
  async (plain, { owners, prover, clock, timers, newId = randomUUID }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const reach = (request: FastifyRequest): Promise<Caller & { desk: CommandDesk }> => {
      const reached = async () => {
        const caller = await callerOf(request, prover);
        return { ...caller, desk: await owners.desk(caller.account, caller.token) };
      };
      return reachWithin(timers, REACH_MS, reached());
    };

    app.post(
      relayPath.closeAll(":farmId").replace("%3A", ":"),
      { schema: { params: FarmParams, response: { 200: CloseAllAnswer } } },
      async (request) => {
        const jobId = commandIdOf(request.headers["idempotency-key"], newId);
        const began = clock.monotonic();
        const { account, token, desk } = await reach(request);
        const { farmId } = request.params;
        const outcome = await desk.closeAll({
          jobId,
          farmId: farmId === ALL ? null : farmId,
          token,
          by: actorOf(account),
          origin: originOf(request),
          traceId: request.id,
          answerWithinMs: ANSWER_WITHIN_MS - (clock.monotonic() - began),
        });
        if (!outcome.ok) throw new RelayError(outcome.status, outcome.code, "no such farm");
        return { jobId, channels: outcome.channels };
      },
    );

    app.get(
      relayPath.commands,
      { schema: { querystring: CommandsQuery, response: { 200: CommandsAnswer } } },
      async (request) => {
        const { farm, channel, from, to } = request.query;
        const { desk } = await reach(request);
        const commands = await desk.commands({
          from: from === undefined ? 0 : Date.parse(from),
          to: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
          ...(channel === undefined ? {} : { channelId: channel }),
          ...(farm === undefined ? {} : { farmId: farm }),
        });
        if (commands === null) throw new RelayError(404, "not-found", "no such farm");
        return { commands };
      },
    );
  },
  { name: "close-all", fastify: "5.x", dependencies: ["errors"] },
);
