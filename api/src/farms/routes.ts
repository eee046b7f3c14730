import { Farm } from "@mulkko/shared/entities/farm";
import type { FarmAddBody } from "@mulkko/shared/rest/farm";
import { clusterAdd, clusterDelete, clusterList, clusterUpdate } from "@mulkko/shared/rest/operations/farms";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { callerOf } from "../accounts/auth.ts";
import type { Queryable } from "../database/database.ts";
import { notFound } from "../http/api-error.ts";
import { onlyOnce } from "../http/once.ts";
import { routeOf } from "../http/operation-route.ts";
import { integerOf, requiredText, uuidOf } from "../http/params.ts";
import type { App } from "../http/server.ts";
import { mustMatch } from "../http/version.ts";
import { deleteFarm, insertFarm, listFarms, lockedFarmVersion, updateFarm } from "./repository.ts";

const tags = ["farm"];

const idsOf = (sensors: FarmAddBody["sensors"] = []): string[] =>
  (typeof sensors === "string" ? sensors.split(",") : sensors)
    .flatMap((entry) => entry.split(","))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => uuidOf(entry, "sensor"));

/** Serve the caller's farms, each with its sensors. */
export const clusterRoutes = fp<{ zone: ApiTimeZone; clock: Clock; timers: Timers }>(
  async (app: App, { zone, clock, timers }) => {
    const { database } = app;
    const onRequest = app.authenticate;

    const farmOf = async (from: Queryable, accountId: string, id: number): Promise<Farm> => {
      const [farm] = await listFarms(from, zone, accountId, id);
      if (!farm) throw notFound("farm");
      return farm;
    };

    app.route({
      ...routeOf(clusterList, { tags, summary: "The caller's farms" }),
      onRequest,
      handler: (request) => listFarms(database, zone, callerOf(request).account.id),
    });

    app.route({
      ...routeOf(clusterAdd, { tags, summary: "Make a farm" }),
      onRequest,
      async handler(request) {
        const accountId = callerOf(request).account.id;
        const { name, description = "", sensors } = request.body;
        const farm = { name: requiredText(name, "name"), description, sensorIds: idsOf(sensors) };
        return onlyOnce({ database, clock, timers }, request, accountId, Farm, {
          create: async (tx) => farmOf(tx, accountId, await insertFarm(tx, accountId, farm)),
          follow: async ({ id }) => app.ingest.outputs.changed(accountId, "farm", id),
        });
      },
    });

    app.route({
      ...routeOf(clusterUpdate, { tags, summary: "Rename a farm" }),
      onRequest,
      async handler(request) {
        const accountId = callerOf(request).account.id;
        const id = integerOf(request.params.id, "farm");
        const { name, description = null } = request.body;
        const farm = { id, name: requiredText(name, "name"), description };
        await database.transaction(async (tx) => {
          const version = await lockedFarmVersion(tx, accountId, id);
          if (version === undefined) throw notFound("farm");
          mustMatch(request, version);
          await updateFarm(tx, accountId, farm);
        });
        app.ingest.outputs.changed(accountId, "farm", id);
        return farmOf(database, accountId, id);
      },
    });

    app.route({
      ...routeOf(clusterDelete, { tags, summary: "Delete a farm; its devices stay, without one" }),
      onRequest,
      async handler(request, reply) {
        const accountId = callerOf(request).account.id;
        const id = integerOf(request.params.id, "farm");
        await deleteFarm(database, accountId, id);
        app.ingest.outputs.changed(accountId, "farm", id);
        return reply.code(204).send(null);
      },
    });
  },
  { name: "cluster", dependencies: ["database", "broker", "auth", "errors"] },
);
