import { randomUUID } from "node:crypto";
import { ChannelValue } from "@mulkko/shared/live/devices";
import { CommandRecord, FleetCloseBody } from "@mulkko/shared/rest/command";
import { relayPath } from "@mulkko/shared/rest/routes";
import { channelKey } from "@mulkko/shared/rules/device-keys";
import { parse } from "@mulkko/shared/schema/parse";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { LRUCache } from "lru-cache";
import { Type } from "typebox";
import type { AccountViews } from "../account/viewing.ts";
import { actorOf, type Caller, callerOf, isAdministrator, originOf } from "../http/caller.ts";
import { invalidField, RelayError } from "../http/relay-error.ts";
import { withTimeout } from "../http/with-timeout.ts";
import { ANSWER_WITHIN_MS } from "../runtime/owner-call.ts";
import { stateOf } from "../store/streams.ts";
import type { AuditTrail } from "../upstream/audit-trail.ts";
import { NoAccessError } from "../upstream/errors.ts";
import { closeFields } from "./close-all.ts";
import { commandIdOf } from "./command-input.ts";
import type { CommandService } from "./commands.ts";
import { type CommandOptions, REACH_MS } from "./routes.ts";

export interface FleetCloseOptions extends Omit<CommandOptions, "arrivals" | "owners"> {
  readonly owners: CommandOptions["owners"] & Pick<AccountViews, "viewAs">;
  readonly audit: Pick<AuditTrail, "record">;
}

const BODY_BYTES = 4 * 1024;
/** Closes remembered as audited: a repeated call is one action. */
const AUDITED = 1_000;

const Channel = Type.Pick(ChannelValue, ["controllerId"]);

/** A valve of an account, and the account's service. */
interface Reached {
  readonly service: CommandService;
  readonly valve: ReturnType<typeof closeFields>;
}

/**
 * `POST /relay/fleet/close` (CMD-21): an administrator closes one valve of any account. The command is made
 * here, of the valve alone: nothing of the body reaches it that could open.
 */
export const fleetClosePlugin = fp<FleetCloseOptions>(
  async (app, { owners, prover, audit, clock, timers, newId = randomUUID }) => {
    const audited = new LRUCache<string, true>({ max: AUDITED });

    const reachValve = async (body: FleetCloseBody): Promise<Reached> => {
      const accountId = String(body.accountId);
      const viewer = await owners.viewAs(accountId).catch((error: unknown) => {
        if (!(error instanceof NoAccessError)) throw error;
        throw new RelayError(403, "forbidden", "the relay has no access to this account");
      });
      try {
        const key = channelKey(body.channelId);
        const state = stateOf(viewer.devices);
        const channel = parse(Channel, state[key]);
        if (!channel.ok || String(channel.value.controllerId) !== String(body.controllerId)) {
          throw new RelayError(404, "not-found", "no such valve in this account");
        }
        const valve = closeFields(key, { get: (name) => state[name] });
        return { valve, service: await owners.service({ accountId }, undefined) };
      } finally {
        viewer.release();
      }
    };
    const note = (request: FastifyRequest, { account }: Caller, body: FleetCloseBody, id: string): void => {
      const { accountId, controllerId, channelId, reason } = body;
      const closed = { controllerId: String(controllerId), channelId, commandId: id, reason };
      request.log.info(
        { event: "valve-close-audit", audit: "valve-close", admin: account.accountId, accountId, ...closed },
        "administrator closed a valve of another account",
      );
      if (audited.has(id)) return;
      audited.set(id, true);
      audit.record({
        actor: { id: account.account.id, username: account.account.username },
        action: "valve-close",
        subject: { kind: "user", id: String(accountId) },
        after: closed,
      });
    };

    // The body is parsed here: the server's own validation would drop unknown fields in silence.
    app.post(
      relayPath.fleetClose,
      { bodyLimit: BODY_BYTES, schema: { response: { 200: CommandRecord } } },
      async (request) => {
        const commandId = commandIdOf(request.headers["idempotency-key"], newId);
        const began = clock.monotonic();
        const reach = async () => {
          // As close-all: water is also closed while the farm API cannot be asked about the token.
          const caller = await callerOf(request, prover, "asked-if-possible");
          if (!isAdministrator(caller.account))
            throw new RelayError(403, "forbidden", "for administrators only");
          const body = parse(FleetCloseBody, request.body);
          if (!body.ok) throw invalidField(body.path.slice(1).split("/")[0] || "body", body.message);
          return { caller, body: body.value, ...(await reachValve(body.value)) };
        };
        const { caller, body, service, valve } = await withTimeout(timers, REACH_MS, reach());
        const { pressedAt, reason } = body;
        const outcome = await service.command({
          ...valve,
          commandId,
          ...(pressedAt !== undefined && { pressedAt: Date.parse(pressedAt) }),
          administrator: { reason: reason.trim() },
          token: caller.token,
          by: actorOf(caller.account),
          origin: originOf(request),
          traceId: request.id,
          answerWithinMs: ANSWER_WITHIN_MS - (clock.monotonic() - began),
        });
        if (!outcome.ok) throw new RelayError(outcome.status, outcome.code, outcome.message);
        note(request, caller, body, commandId);
        return outcome.record;
      },
    );
  },
  { name: "fleet-close", fastify: "5.x", dependencies: ["errors"] },
);
