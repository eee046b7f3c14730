import type { DeadLetterReport, RejectReason } from "@mulkko/shared/rest/dead-letter";
import { adminKnocks } from "@mulkko/shared/rest/operations/admin";
import { deadLetters } from "@mulkko/shared/rest/operations/devices";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { callerOf } from "../accounts/auth.ts";
import type { Queryable } from "../database/database.ts";
import { deviceOfCaller } from "../devices/access.ts";
import { routeOf } from "../http/operation-route.ts";
import type { App } from "../http/server.ts";
import { MAX_DEVICE_LETTERS } from "./dead-letters.ts";

/** How long a message is reported, ms. */
const REPORTED_MS = 7 * 86_400_000;
/** Most messages in a report; older ones are only counted. */
const MAX_LETTERS = 10;

interface LetterRow {
  /** ms UTC. */
  at: number;
  topic: string;
  payload: string;
  reason: RejectReason;
  field: string | null;
}

/** Report the recent messages of a device that were rejected. @param now ms since 1970 UTC */
async function reportDeadLetters(
  database: Queryable,
  deviceId: string,
  now: number,
): Promise<DeadLetterReport> {
  const rows = await database.query<LetterRow>(
    `select at, topic, payload, reason, field from dead_letter
     where device_id = $1 and at >= $2 order by id desc limit $3`,
    [deviceId, new Date(now - REPORTED_MS), MAX_DEVICE_LETTERS],
  );
  // Each fault of a message is a row; arrival and text identify the message.
  const messages = [
    ...Map.groupBy(rows, ({ at, topic, payload }) => JSON.stringify([at, topic, payload])).values(),
  ];
  return {
    count: messages.length,
    more: rows.length === MAX_DEVICE_LETTERS,
    letters: messages.slice(0, MAX_LETTERS).flatMap((faults) => {
      const [newest] = faults;
      if (!newest) return [];
      return {
        at: new Date(newest.at).toISOString(),
        topic: newest.topic,
        faults: faults.map(({ reason, field }) => ({ reason, field })).reverse(),
        text: newest.payload,
      };
    }),
  };
}

/**
 * Serve rejected messages of devices, and connection attempts of unknown devices (extension `dead-letters`).
 */
export const deadLetterRoutes = fp<{ clock: Clock }>(
  async (app: App, { clock }) => {
    app.route({
      ...routeOf(deadLetters, {
        tags: ["device"],
        summary:
          "Messages of a device that were not understood in the last seven days (extension dead-letters)",
      }),
      onRequest: app.authenticate,
      handler(request) {
        const device = deviceOfCaller(app.deviceIndex, callerOf(request), request.params.id, "device");
        return reportDeadLetters(app.database, device.id, clock.now());
      },
    });

    app.route({
      ...routeOf(adminKnocks, {
        tags: ["admin"],
        summary: "Unknown serials and DevEUIs that have tried since the start (extension dead-letters)",
      }),
      onRequest: app.authenticateAdminPerson,
      handler: () => app.ingest.knocks.list(),
    });
  },
  { name: "dead-letter", dependencies: ["database", "broker", "auth", "errors"] },
);
