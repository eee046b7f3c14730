import { Farm } from "@mulkko/shared/entities/farm";
import { FarmAddBody, FarmUpdateBody } from "@mulkko/shared/rest/farm";
import { clusterList } from "@mulkko/shared/rest/operations/farms";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { callerOf } from "../accounts/auth.ts";
import { notFound } from "../http/api-error.ts";
import { integerOf, requiredText, uuidOf } from "../http/params.ts";
import type { App } from "../http/server.ts";
import { mustMatch } from "../http/version.ts";
import { deleteFarm, insertFarm, listFarms, lockedFarmVersion, updateFarm } from "./repository.ts";

const tags = ["farm"];
const ById = Type.Object({ id: Type.String() });

const idsOf = (sensors: FarmAddBody["sensors"] = []): string[] =>
  (typeof sensors === "string" ? sensors.split(",") : sensors)
    .flatMap((entry) => entry.split(","))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => uuidOf(entry, "sensor"));

/** Serve the caller's farms, each with its sensors. */
export const clusterRoutes = fp<{ zone: ApiTimeZone }>(
  async (app: App, { zone }) => {
    const { database } = app;
    const onRequest = app.authenticate;

    const farmOf = async (accountId: string, id: number): Promise<Farm> => {
      const [farm] = await listFarms(database, zone, accountId, id);
      if (!farm) throw notFound("farm");
      return farm;
    };

    app.route({
      method: "GET",
      url: clusterList.path,
      onRequest,
      schema: { tags, summary: "The caller's farms", response: { 200: Type.Array(Farm) } },
      handler: (request) => listFarms(database, zone, callerOf(request).account.id),
    });

    app.route({
      method: "POST",
      url: "/api/v1/cluster/add",
      onRequest,
      schema: { tags, summary: "Make a farm", body: FarmAddBody, response: { 200: Farm } },
      async handler(request) {
        const accountId = callerOf(request).account.id;
        const { name, description = "", sensors } = request.body;
        const farm = { name: requiredText(name, "name"), description, sensorIds: idsOf(sensors) };
        const id = await database.transaction((tx) => insertFarm(tx, accountId, farm));
        app.ingest.outputs.changed(accountId, "farm", id);
        return farmOf(accountId, id);
      },
    });

    app.route({
      method: ["PUT", "POST"],
      url: "/api/v1/cluster/update/:id",
      onRequest,
      schema: { tags, summary: "Rename a farm", params: ById, body: FarmUpdateBody, response: { 200: Farm } },
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
        return farmOf(accountId, id);
      },
    });

    app.route({
      method: ["POST", "DELETE"],
      url: "/api/v1/cluster/delete/:id",
      onRequest,
      schema: {
        tags,
        summary: "Delete a farm; its devices stay, without one",
        params: ById,
        response: { 204: Type.Null() },
      },
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
