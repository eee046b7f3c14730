import { randomUUID } from "node:crypto";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import { CloseAllAnswer, CommandsAnswer, CommandsQuery } from "@mulkko/shared/rest/command";
import { relayPath, routePattern } from "@mulkko/shared/rest/routes";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import Type from "typebox";
import { actorOf, type Caller, callerOf, originOf } from "../http/caller.ts";
import { pressTimeOf } from "../http/press-time.ts";
import { RelayError } from "../http/relay-error.ts";
import { withTimeout } from "../http/with-timeout.ts";
import { ANSWER_WITHIN_MS } from "../runtime/owner-call.ts";
import { commandIdOf } from "./command-input.ts";
import type { CommandService } from "./commands.ts";
import { type CommandOptions, REACH_MS } from "./routes.ts";

/** Replaces a farm's id: every channel of the account. */
const ALL = "all";

const FarmParams = Type.Object({ farmId: Type.String({ minLength: 1, maxLength: 64 }) });

/**
 * `POST /relay/farms/{id}/close-all` (RUN-5) and `GET /relay/commands` (CMD-9), answered by the account's
 * valve service. The live stream reports the progress of each channel, as for every command.
 */
export const closeAllPlugin = fp<Omit<CommandOptions, "arrivals">>(
  async (plain, { owners, prover, clock, timers, newId = randomUUID }) => {
    const app = plain.withTypeProvider<TypeBoxTypeProvider>();
    const reach = (request: FastifyRequest): Promise<Caller & { service: CommandService }> => {
      const reached = async () => {
        // Water is also closed while the farm API is unavailable: the service retries until it is back.
        const trust = request.method === "GET" ? "remembered" : "asked-if-possible";
        const caller = await callerOf(request, prover, trust);
        return { ...caller, service: await owners.service(caller.account, caller.token) };
      };
      return withTimeout(timers, REACH_MS, reached());
    };

    app.post(
      routePattern(relayPath.closeAll, "farmId"),
      { schema: { params: FarmParams, response: { 200: CloseAllAnswer } } },
      async (request) => {
        const jobId = commandIdOf(request.headers["idempotency-key"], newId);
        const began = clock.monotonic();
        const { account, token, service } = await reach(request);
        const { farmId } = request.params;
        const pressedAt = pressTimeOf(request.headers);
        const outcome = await service.closeAll({
          ...(pressedAt !== null && { pressedAt }),
          jobId,
          farmId: farmId === ALL ? null : farmId,
          token,
          by: actorOf(account),
          origin: originOf(request),
          traceId: request.id,
          answerWithinMs: ANSWER_WITHIN_MS - (clock.monotonic() - began),
        });
        if (!outcome.ok) throw new RelayError(outcome.status, outcome.code, "no such farm");
        const { channels, kept } = outcome;
        return { jobId, channels, ...(kept === false && { kept }) };
      },
    );

    app.get(
      relayPath.commands,
      { schema: { querystring: CommandsQuery, response: { 200: CommandsAnswer } } },
      async (request) => {
        const { farm, channel, from, to } = request.query;
        const { service } = await reach(request);
        const commands = await service.commands({
          from: from === undefined ? 0 : Date.parse(from),
          ...(to === undefined ? {} : { to: Date.parse(to) }),
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
