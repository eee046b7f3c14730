import { randomUUID } from "node:crypto";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { CommandRecord } from "@mulkko/shared/rest/command";
import { apiPath, relayPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import Type from "typebox";
import { RelayError } from "../plugins/relay-error.ts";
import type { CommandRequest } from "../ports/commands.ts";
import type { Owners } from "../ports/owners.ts";
import type { Timers } from "../ports/timers.ts";
import type { TokenProver } from "../ports/tokens.ts";
import { ANSWER_WITHIN_MS } from "../valves/answers.ts";
import { type Arrivals, isGone } from "./arrivals.ts";
import { actorOf, callerOf, originOf, tokenOf } from "./caller.ts";
import { commandIdOf, commandInputOf } from "./command-input.ts";
import { reachWithin } from "./reach.ts";

export interface CommandOptions {
  readonly owners: Pick<Owners, "desk" | "written">;
  readonly prover: Pick<TokenProver, "prove">;
  readonly clock: Clock;
  readonly timers: Timers;
  /** When requests arrived. */
  readonly arrivals: Pick<Arrivals, "of">;
  readonly newId?: () => string;
}

/** ms until a desk has to be reached; what is left of CMD-7's five seconds is the desk's. */
export const REACH_MS = ANSWER_WITHIN_MS - 1_000;
/** A command is a handful of fields. */
const BODY_BYTES = 16 * 1024;

const FORMS = { [apiPath.command]: "controller", [apiPath.legacyCommand]: "sensor" } as const;

const WithdrawParams = Type.Object({ commandId: Type.String({ minLength: 1, maxLength: 64 }) });

/**
 * The two `cmd` calls, taken out of the proxied API: the account's valve desk stores, sends and watches over every
 * command, and answers within 5 s with how far it has come (CMD-7). Beside them the call that takes an opening back
 * whose answer never came (CMD-12).
 */
export const commandsPlugin = fp<CommandOptions>(
  async (app, { owners, prover, clock, timers, arrivals, newId = randomUUID }) => {
    const run = async (
      request: FastifyRequest,
      commandId: string,
      form: CommandRequest["form"],
      what: "command" | "withdraw",
    ): Promise<CommandRecord> => {
      const token = tokenOf(request);
      const { claimedAt, ...input } = commandInputOf(request.body);
      if (what === "withdraw" && input.target !== 1) {
        throw new RelayError(422, "validation", "only an opening can be taken back");
      }
      const began = clock.monotonic();
      const reach = async () => {
        const { account } = await callerOf(request, prover);
        return { account, desk: await owners.desk(account, token) };
      };
      const { account, desk } = await reachWithin(timers, REACH_MS, reach());
      const now = clock.monotonic();
      const arrivedAt = clock.now() - (now - arrivals.of(request.raw));
      const outcome = await desk[what]({
        ...input,
        commandId,
        // No press is later than its request, whatever the sender's clock says.
        pressedAt: claimedAt === null ? arrivedAt : Math.min(claimedAt, arrivedAt),
        ...(isGone(request.raw) ? { callerGone: true } : {}),
        form,
        token,
        tokenEndsAt: account.expiresAt,
        by: actorOf(account),
        origin: originOf(request),
        traceId: request.id,
        answerWithinMs: ANSWER_WITHIN_MS - (now - began),
      });
      if (!outcome.ok) throw new RelayError(outcome.status, outcome.code, outcome.message);
      // A reset of a mode is a write like any other: what it touches is read again (POLL-8).
      if (input.target === null) owners.written(account.accountId, request.url);
      return outcome.record;
    };

    // A scope of its own: the proxied calls beside it must not have their forms parsed.
    await app.register(async (scope) => {
      parseForms(scope);
      for (const [path, form] of Object.entries(FORMS)) {
        scope.post(path, { bodyLimit: BODY_BYTES }, (request) =>
          run(request, commandIdOf(request.headers["idempotency-key"], newId), form, "command"),
        );
      }
      const withdrawPath = relayPath.withdrawCommand(":commandId").replace("%3A", ":");
      const schema = { params: WithdrawParams };
      scope
        .withTypeProvider<TypeBoxTypeProvider>()
        .post(withdrawPath, { bodyLimit: BODY_BYTES, schema }, (request) =>
          run(request, commandIdOf(request.params.commandId, newId), "controller", "withdraw"),
        );
    });
  },
  { name: "commands", fastify: "5.x", dependencies: ["errors"] },
);

function parseForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: BODY_BYTES },
    async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
}
