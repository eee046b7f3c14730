import { RelayDeed } from "@mulkko/shared/rest/admin";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { uuidOf } from "../../http/params.ts";
import type { App } from "../../http/server.ts";
import { findAccount } from "../account/repository.ts";
import { createRelayGate } from "../relay-session/relay-key.ts";
import { changedOnly, type Deed, isRecorded, recordDeed } from "./repository.ts";

/** What administrators did through the relay, told by the relay: reading as another account, and displays. */
export const relayAuditRoutes = fp<{ relayKey: string | undefined; clock: Clock }>(
  async (app: App, { relayKey, clock }) => {
    if (!relayKey) return;
    const admit = createRelayGate(relayKey);
    app.post(
      apiPath.relayAudit,
      {
        schema: {
          tags: ["relay"],
          summary: "Writes down what an administrator did, by the header relayKey (extension relay-audit)",
          body: RelayDeed,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        admit(request);
        const { actor, action, subject, before, after, at } = request.body;
        const account =
          subject.kind === "user"
            ? await findAccount(app.database, uuidOf(subject.id, "account"))
            : undefined;
        const deed: Deed = {
          actor: { id: uuidOf(String(actor.id), "account"), username: actor.username },
          action,
          subject: { ...subject, name: subject.name ?? account?.username ?? "" },
          ...(before && after
            ? changedOnly(before, after)
            : { ...(before && { before }), ...(after && { after }) }),
        };
        // A relay that could not reach this API tells it late, and again where it did not hear the answer; nothing
        // has happened in the future.
        const when = Math.min(Date.parse(at), clock.now());
        if (!(await isRecorded(app.database, deed, when))) await recordDeed(app.database, deed, when);
        return reply.code(204).send(null);
      },
    );
  },
  { name: "relay-audit", dependencies: ["database", "auth", "errors"] },
);
