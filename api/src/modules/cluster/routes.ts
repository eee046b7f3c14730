import type { Farm } from "@mulkko/shared/entities/farm";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import fp from "fastify-plugin";
import type { App } from "../../http/server.ts";
import { callerOf } from "../../plugins/auth.ts";
import { listSensors } from "../sensor/repository.ts";

/** Most farms of one account in a list. */
const MAX_LISTED = 1_000;

interface ClusterRow {
  id: number;
  name: string;
  description: string;
}

/** The caller's farms, each with its sensors. */
export const clusterRoutes = fp<{ zone: ApiTimeZone }>(
  async (app: App, { zone }) => {
    app.get(apiPath.clusters, { onRequest: app.authenticate }, async (request): Promise<Farm[]> => {
      const accountId = callerOf(request).account.id;
      const farms = await app.database.query<ClusterRow>(
        "select id, name, description from cluster where account_id = $1 order by id limit $2",
        [accountId, MAX_LISTED],
      );
      const sensors = await listSensors(app.database, zone, accountId);
      return farms.map((farm) => ({
        ...farm,
        sensors: sensors.filter(({ clusterId }) => clusterId === farm.id),
      }));
    });
  },
  { name: "cluster", dependencies: ["database", "auth", "errors"] },
);
