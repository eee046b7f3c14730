import { randomUUID } from "node:crypto";
import { AdminUser } from "@mulkko/shared/rest/admin-user";
import {
  adminSerialFree,
  adminTrash,
  adminUser,
  adminUserDelete,
  adminUserRegister,
  adminUserRestore,
  adminUsers,
} from "@mulkko/shared/rest/operations/admin";
import { PageOf } from "@mulkko/shared/rest/paging";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { callerOf } from "../accounts/auth.ts";
import { hashPassword } from "../accounts/passwords.ts";
import { newProfile } from "../accounts/profile.ts";
import { type AccountRow, insertAccount, lockAccount, updateProfile } from "../accounts/repository.ts";
import { registrationFaults } from "../accounts/rules.ts";
import { recordAuditEntry } from "../audit/repository.ts";
import type { Queryable } from "../database/database.ts";
import { serialNumberOf } from "../devices/sensor-rules.ts";
import { ApiError, FieldsError, notFound } from "../http/api-error.ts";
import { onlyOnce } from "../http/once.ts";
import { routeOf } from "../http/operation-route.ts";
import { uuidOf } from "../http/params.ts";
import type { App } from "../http/server.ts";
import { freeSerial, listTrash, restoreUser, trashUser } from "./trash.ts";
import { listUsers, lockAdmins, readUser } from "./user-repository.ts";
import { leavesNoAdmin, refusingTakenName } from "./user-rules.ts";

const tags = ["admin"];

/** @throws ApiError 404 where the account does not exist, 409 where it is the last administrator */
async function lockDeletable(tx: Queryable, id: string): Promise<AccountRow> {
  const acting = await lockAdmins(tx);
  const row = await lockAccount(tx, id);
  if (!row) throw notFound("user");
  if (leavesNoAdmin({ userType: row.user_type, disabled: row.disabled }, null, acting)) {
    throw new ApiError(409, "conflict", "The last administrator cannot be deleted.");
  }
  return row;
}

/** List, create, delete and restore accounts. For administrators only. */
export const adminUserRoutes = fp<{
  zone: ApiTimeZone;
  clock: Clock;
  timers: Timers;
  refusedPassword: string | null;
}>(
  async (app: App, { zone, clock, timers, refusedPassword }) => {
    const { database } = app;
    const onRequest = app.authenticateAdminPerson;

    app.route({
      ...routeOf(adminUsers, {
        tags,
        summary: "All accounts, or those of one type; a page of them where page, size, q or sort is given",
        response: { 200: Type.Union([Type.Array(AdminUser), PageOf(AdminUser)]) },
      }),
      onRequest,
      handler: (request) => listUsers(database, zone, request.query),
    });

    app.route({
      ...routeOf(adminUser, { tags, summary: "One account", response: { 200: AdminUser } }),
      onRequest,
      handler: (request) => readUser(database, zone, uuidOf(request.params.id, "user")),
    });

    app.route({
      ...routeOf(adminUserRegister, { tags, summary: "Add an account", response: { 200: AdminUser } }),
      onRequest,
      async handler(request) {
        const { username, password, userType = "USER", ...requested } = request.body;
        const { profile, errors } = newProfile(requested);
        const faults = [...registrationFaults(username, password, refusedPassword), ...errors];
        if (faults.length > 0) throw new FieldsError(faults);
        const actor = callerOf(request).account;
        const id = randomUUID();
        const { nickname } = profile;
        // It takes too long for a transaction.
        const passwordHash = await hashPassword(password);
        const creating = onlyOnce({ database, clock, timers }, request, actor.id, AdminUser, {
          async create(tx) {
            await insertAccount(tx, { id, username, passwordHash, nickname, userType }, clock.now());
            await updateProfile(tx, id, profile);
            const subject = { kind: "user", id, name: username };
            const after = { ...profile, username, userType };
            await recordAuditEntry(tx, { actor, action: "user-register", subject, after }, clock.now());
            return readUser(tx, zone, id);
          },
          follow: async () => undefined,
        });
        return refusingTakenName(database, username, creating);
      },
    });

    app.route({
      ...routeOf(adminUserDelete, {
        tags,
        summary: "Put an account with its devices into the trash, from which it can be restored for 30 days",
      }),
      onRequest,
      async handler(request, reply) {
        const id = uuidOf(request.params.id, "user");
        await database.transaction((tx) => lockDeletable(tx, id));
        await app.delivery.silenceAccount(id);
        const serials = await database.transaction(async (tx) => {
          const row = await lockDeletable(tx, id);
          const trashed = await trashUser(tx, id, clock.now());
          const actor = callerOf(request).account;
          const subject = { kind: "user", id, name: row.username };
          const was = { username: row.username, nickname: row.nickname, devices: trashed.length };
          await recordAuditEntry(tx, { actor, action: "user-delete", subject, before: was }, clock.now());
          return trashed;
        });
        const valves = app.deviceIndex.ofAccount(id).filter(({ channels }) => channels.length > 0);
        await app.deviceIndex.reload();
        for (const serial of serials) app.broker.endSession(serial);
        // The broker's own report of these ends is of unknown devices. A restored account would show its valves as
        // live with their last state, without any connection (WILL-2).
        for (const device of valves) await app.ingest.line(device, false);
        app.ingest.outputs.changed(id, "account", id);
        return reply.code(204).send(null);
      },
    });

    app.route({
      ...routeOf(adminTrash, {
        tags,
        summary: "Deleted accounts that can still be restored (extension trash)",
      }),
      onRequest,
      handler: () => listTrash(database, zone),
    });

    app.route({
      ...routeOf(adminSerialFree, {
        tags,
        summary:
          "Delete a device of an account in the trash for good, to free its serial (extension free-serial)",
      }),
      onRequest,
      async handler(request, reply) {
        const serial = serialNumberOf(request.params.serial);
        const actor = callerOf(request).account;
        await freeSerial(database, serial, (tx, { id, kind, username }) =>
          recordAuditEntry(
            tx,
            {
              ...{ actor, action: `${kind}-delete` },
              subject: { kind, id, name: String(serial) },
              before: { serial, username },
            },
            clock.now(),
          ),
        );
        await app.deviceIndex.reload();
        return reply.code(204).send(null);
      },
    });

    app.route({
      ...routeOf(adminUserRestore, {
        tags,
        summary: "Take an account with its devices out of the trash (extension trash)",
      }),
      onRequest,
      async handler(request, reply) {
        const id = uuidOf(request.params.id, "user");
        await database.transaction(async (tx) => {
          const username = await restoreUser(tx, id);
          const actor = callerOf(request).account;
          const subject = { kind: "user", id, name: username };
          await recordAuditEntry(tx, { actor, action: "user-restore", subject }, clock.now());
        });
        await app.deviceIndex.reload();
        app.ingest.outputs.changed(id, "account", id);
        return reply.code(204).send(null);
      },
    });
  },
  { name: "admin-users", dependencies: ["database", "broker", "watering", "auth", "errors"] },
);
