import { randomUUID } from "node:crypto";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { CommandRecord } from "@mulkko/shared/rest/command";
import { controllerCommand, sensorCommand } from "@mulkko/shared/rest/operations/controllers";
import { relayPath, routePattern } from "@mulkko/shared/rest/routes";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import Type from "typebox";
import type { TokenProofs } from "../access/token-prover.ts";
import type { AccountViews } from "../account/viewing.ts";
import { actorOf, callerOf, originOf, tokenOf } from "../http/caller.ts";
import { RelayError } from "../http/relay-error.ts";
import { withTimeout } from "../http/with-timeout.ts";
import { ANSWER_WITHIN_MS } from "../runtime/owner-call.ts";
import { type Arrivals, isGone } from "./arrivals.ts";
import { commandIdOf, commandInputOf } from "./command-input.ts";
import type { CommandRequest, ValveServices } from "./commands.ts";

export interface CommandOptions {
  readonly owners: ValveServices & Pick<AccountViews, "written">;
  readonly prover: TokenProofs;
  readonly clock: Clock;
  readonly timers: Timers;
  /** When requests arrived. */
  readonly arrivals: Pick<Arrivals, "of">;
  readonly newId?: () => string;
}

/** ms within which a service has to be reached; the rest of CMD-7's five seconds is the service's. */
export const REACH_MS = ANSWER_WITHIN_MS - 1_000;
/** Size limit of a command, which has only a few fields. */
const BODY_BYTES = 16 * 1024;

const FORMS = { [controllerCommand.path]: "controller", [sensorCommand.path]: "sensor" } as const;

const WithdrawParams = Type.Object({ commandId: Type.String({ minLength: 1, maxLength: 64 }) });

/**
 * The two `cmd` calls, which are not proxied. The account's valve service stores, sends and tracks every
 * command, and answers within 5 s with its progress (CMD-7). A third route withdraws an opening whose answer
 * never arrived (CMD-12).
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
        throw new RelayError(422, "validation", "only an opening can be withdrawn");
      }
      const began = clock.monotonic();
      const reach = async () => {
        // The farm API proves the token itself, because the command is sent with it.
        const { account } = await callerOf(request, prover, "remembered");
        return { account, service: await owners.service(account, token) };
      };
      const { account, service } = await withTimeout(timers, REACH_MS, reach());
      const now = clock.monotonic();
      const arrivedAt = clock.now() - (now - arrivals.of(request.raw));
      const outcome = await service[what]({
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
      // A reset of a mode is a write like any other: the changed lists are polled again (POLL-8).
      if (input.target === null) owners.written(account.accountId, request.url);
      return outcome.record;
    };

    // A separate scope, because forms of proxied calls must not be parsed.
    await app.register(async (scope) => {
      parseForms(scope);
      for (const [path, form] of Object.entries(FORMS)) {
        scope.post(path, { bodyLimit: BODY_BYTES }, (request) =>
          run(request, commandIdOf(request.headers["idempotency-key"], newId), form, "command"),
        );
      }
      const withdrawPath = routePattern(relayPath.withdrawCommand, "commandId");
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
