import { DeadLetterReport, Knock } from "@mulkko/shared/rest/dead-letter";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { callerOf } from "../accounts/auth.ts";
import { deviceOfCaller } from "../devices/access.ts";
import type { App } from "../http/server.ts";
import { reportDeadLetters } from "./dead-letter-repository.ts";

/**
 * Serve rejected messages of devices, and connection attempts of unknown devices (extension `dead-letters`).
 */
export const deadLetterRoutes = fp<{ clock: Clock }>(
  async (app: App, { clock }) => {
    app.route({
      method: "GET",
      url: "/api/v1/device/:id/dead-letters",
      onRequest: app.authenticate,
      schema: {
        tags: ["device"],
        summary:
          "Messages of a device that were not understood in the last seven days (extension dead-letters)",
        params: Type.Object({ id: Type.String() }),
        response: { 200: DeadLetterReport },
      },
      handler(request) {
        const device = deviceOfCaller(app.deviceIndex, callerOf(request), request.params.id, "device");
        return reportDeadLetters(app.database, device.id, clock.now());
      },
    });

    app.route({
      method: "GET",
      url: apiPath.adminKnocks,
      onRequest: app.authenticateAdminPerson,
      schema: {
        tags: ["admin"],
        summary: "Unknown serials and DevEUIs that have tried since the start (extension dead-letters)",
        response: { 200: Type.Array(Knock) },
      },
      handler: () => app.ingest.knocks.list(),
    });
  },
  { name: "dead-letter", dependencies: ["database", "broker", "auth", "errors"] },
);
