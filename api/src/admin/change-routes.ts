import { AdminUser } from "@mulkko/shared/rest/admin-user";
import { adminChangePassword, adminUserUpdate } from "@mulkko/shared/rest/operations/admin";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { noteAccessChange } from "../accounts/access-changes.ts";
import { callerOf } from "../accounts/auth.ts";
import { hashPassword } from "../accounts/passwords.ts";
import { changeProfile } from "../accounts/profile.ts";
import { lockAccount, profileOf, setPassword, updateProfile } from "../accounts/repository.ts";
import { passwordChangeFaults, usernameFault } from "../accounts/rules.ts";
import { revokeAllSessions } from "../accounts/sessions.ts";
import { changedOnly, recordAuditEntry } from "../audit/repository.ts";
import { ApiError, FieldsError, notFound } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import { uuidOf } from "../http/params.ts";
import type { App } from "../http/server.ts";
import { mustMatch } from "../http/version.ts";
import { accountVersion, lockAdmins, readUser, setRole } from "./user-repository.ts";
import { leavesNoAdmin, refusingTakenName } from "./user-rules.ts";

const tags = ["admin"];

/** Change any account. For administrators only. */
export const adminUserChangeRoutes = fp<{ zone: ApiTimeZone; clock: Clock; refusedPassword: string | null }>(
  async (app: App, { zone, clock, refusedPassword }) => {
    const { database } = app;
    const onRequest = app.authenticateAdminPerson;

    app.route({
      ...routeOf(adminUserUpdate, {
        tags,
        summary: "Change an account; what is left out stays",
        response: { 200: AdminUser },
      }),
      onRequest,
      async handler(request) {
        const id = uuidOf(request.params.id, "user");
        const { username, userType, disabled, ...requested } = request.body;
        await refusingTakenName(
          database,
          username ?? "",
          database.transaction(async (tx) => {
            const acting = await lockAdmins(tx);
            const row = await lockAccount(tx, id);
            if (!row) throw notFound("user");
            mustMatch(request, accountVersion(row));
            const before = { username: row.username, userType: row.user_type, disabled: row.disabled };
            const after = {
              username: username ?? before.username,
              userType: userType ?? before.userType,
              disabled: disabled ?? before.disabled,
            };
            const { profile, errors } = changeProfile(profileOf(row), requested);
            const fault = after.username === before.username ? null : usernameFault(after.username);
            const faults = [...(fault ? [{ field: "username", defaultMessage: fault }] : []), ...errors];
            if (faults.length > 0) throw new FieldsError(faults);
            if (leavesNoAdmin(before, after, acting)) {
              throw new ApiError(409, "conflict", "The last administrator must remain an administrator.");
            }
            await setRole(tx, id, after);
            await noteAccessChange(tx, id, "account", clock.now());
            await updateProfile(tx, id, profile);
            const actor = callerOf(request).account;
            const subject = { kind: "user", id, name: row.username };
            const changes = changedOnly({ ...profileOf(row), ...before }, { ...profile, ...after });
            await recordAuditEntry(tx, { actor, action: "user-update", subject, ...changes }, clock.now());
          }),
        );
        await app.delivery.sendZone(id);
        app.ingest.outputs.changed(id, "account", id);
        return readUser(database, zone, id);
      },
    });

    app.route({
      ...routeOf(adminChangePassword, {
        tags,
        summary: "Set an account's password; ends its sessions, but not the one that asks",
      }),
      onRequest,
      async handler(request, reply) {
        const id = uuidOf(request.params.id, "user");
        const { newPassword, confirmPassword } = request.body;
        const faults = passwordChangeFaults(newPassword, confirmPassword, refusedPassword);
        if (faults.length > 0) throw new FieldsError(faults);
        const { account: actor, sessionId } = callerOf(request);
        const passwordHash = await hashPassword(newPassword);
        await database.transaction(async (tx) => {
          const row = await lockAccount(tx, id);
          if (!row) throw notFound("user");
          await setPassword(tx, id, passwordHash, clock.now());
          await revokeAllSessions(tx, id, sessionId, clock.now());
          const subject = { kind: "user", id, name: row.username };
          await recordAuditEntry(tx, { actor, action: "user-password", subject }, clock.now());
        });
        app.ingest.outputs.changed(id, "password", id);
        return reply.code(204).send(null);
      },
    });
  },
  { name: "admin-user-changes", dependencies: ["database", "broker", "watering", "auth", "errors"] },
);
