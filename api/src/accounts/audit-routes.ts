import { relayAudit } from "@mulkko/shared/rest/operations/relay-calls";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { type AuditRecord, changedOnly, isRecorded, recordAuditEntry } from "../audit/repository.ts";
import { routeOf } from "../http/operation-route.ts";
import { uuidOf } from "../http/params.ts";
import type { App } from "../http/server.ts";
import { createRelayKeyCheck } from "./key.ts";
import { findAccount } from "./repository.ts";

/** Record administrators' actions that the relay reports: reading as another account, and displays. */
export const relayAuditRoutes = fp<{ relayKey: string | undefined; clock: Clock }>(
  async (app: App, { relayKey, clock }) => {
    if (!relayKey) return;
    const admit = createRelayKeyCheck(relayKey);
    app.route({
      ...routeOf(relayAudit, {
        tags: ["relay"],
        summary: "Writes down what an administrator did, by the header relayKey (extension relay-audit)",
      }),
      async handler(request, reply) {
        admit(request);
        const { actor, action, subject, before, after, at } = request.body;
        const account =
          subject.kind === "user"
            ? await findAccount(app.database, uuidOf(subject.id, "account"))
            : undefined;
        const entry: AuditRecord = {
          actor: { id: uuidOf(String(actor.id), "account"), username: actor.username },
          action,
          subject: { ...subject, name: subject.name ?? account?.username ?? "" },
          ...(before && after
            ? changedOnly(before, after)
            : { ...(before && { before }), ...(after && { after }) }),
        };
        // After an outage the relay reports late, and repeats a report without an answer. A time in the
        // future is limited to now.
        const when = Math.min(Date.parse(at), clock.now());
        if (!(await isRecorded(app.database, entry, when))) await recordAuditEntry(app.database, entry, when);
        return reply.code(204).send(null);
      },
    });
  },
  { name: "relay-audit", dependencies: ["database", "auth", "errors"] },
);
