import { adminClusters } from "@mulkko/shared/rest/operations/admin";
import fp from "fastify-plugin";
import { notFound } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import { uuidOf } from "../http/params.ts";
import type { App } from "../http/server.ts";

/** Most farms of one account in a list. */
const MAX_LISTED = 1_000;

interface ClusterRow {
  id: number | null;
  name: string;
  description: string;
  account_id: string;
}

/** List the farms of an account, to choose one for a device (extension `admin-clusters`). */
export const adminClusterRoutes = fp(
  async (app: App) => {
    app.route({
      ...routeOf(adminClusters, {
        tags: ["admin"],
        summary: "The farms of an account (extension admin-clusters)",
      }),
      onRequest: app.authenticateAdmin,
      async handler(request) {
        const userId = uuidOf(request.query.userId, "user");
        const rows = await app.database.query<ClusterRow>(
          `select cluster.id, cluster.name, cluster.description, account.id as account_id
           from account left join cluster on cluster.account_id = account.id
           where account.id = $1 and account.deleted_at is null order by cluster.name, cluster.id limit $2`,
          [userId, MAX_LISTED],
        );
        if (rows.length === 0) throw notFound("user");
        return rows.flatMap(({ id, name, description }) =>
          id === null ? [] : [{ id, name, description, userId }],
        );
      },
    });
  },
  { name: "admin-clusters", dependencies: ["database", "auth", "errors"] },
);
