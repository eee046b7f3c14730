import { accountUpdate } from "@mulkko/shared/rest/operations/account";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { changedOnly, recordAuditEntry } from "../audit/repository.ts";
import { FieldsError, notFound } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import { uuidOf } from "../http/params.ts";
import type { App } from "../http/server.ts";
import { mustMatch } from "../http/version.ts";
import { callerOf } from "./auth.ts";
import { changeProfile } from "./profile.ts";
import { accountOf, lockAccount, profileOf, profileVersion, updateProfile } from "./repository.ts";

const tags = ["account"];

/** Let a user change the own account, and an administrator any account. */
export const profileRoutes = fp<{ clock: Clock }>(
  async (app: App, { clock }) => {
    app.route({
      ...routeOf(accountUpdate, { tags, summary: "Change an account; what is left out stays" }),
      onRequest: app.authenticate,
      async handler(request) {
        const id = uuidOf(request.params.id, "account");
        const actor = callerOf(request).account;
        if (actor.id !== id && actor.user_type !== "ADMIN") throw notFound("account");
        const account = await app.database.transaction(async (tx) => {
          const row = await lockAccount(tx, id);
          if (!row) throw notFound("account");
          mustMatch(request, profileVersion(row));
          const before = profileOf(row);
          const { profile, errors } = changeProfile(before, request.body);
          if (errors.length > 0) throw new FieldsError(errors);
          if (actor.id !== id) {
            const subject = { kind: "user", id, name: row.username };
            const changes = changedOnly({ ...before }, { ...profile });
            await recordAuditEntry(tx, { actor, action: "user-update", subject, ...changes }, clock.now());
          }
          return (await updateProfile(tx, id, profile)) ?? row;
        });
        await app.delivery.sendZone(id);
        app.ingest.outputs.changed(id, "account", id);
        return accountOf(account);
      },
    });
  },
  { name: "profile", dependencies: ["database", "broker", "watering", "auth", "errors"] },
);
