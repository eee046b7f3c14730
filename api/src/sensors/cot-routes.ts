import { cotLog } from "@mulkko/shared/rest/operations/logs";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { Nullable } from "@mulkko/shared/schema/nullable";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { callerOf, ownerFilter } from "../accounts/auth.ts";
import { rangeOf } from "../history/query/range.ts";
import { readRows } from "../history/query/repository.ts";
import { notFound } from "../http/api-error.ts";
import { routeOf } from "../http/operation-route.ts";
import { uuidOf } from "../http/params.ts";
import type { App } from "../http/server.ts";

const ByChannel = Type.Object({
  id: Type.String(),
  channel: Type.Integer({ minimum: 1, maximum: 8 }),
  start: Type.String(),
  end: Type.String(),
});

const ChannelRow = Type.Object({
  createdDate: Type.String(),
  /** 1 on, 2 off. */
  valve: Nullable(Type.Integer()),
  moisture: Nullable(Type.Number()),
});

/** Serve the valve log of a channel of a COT sensor or a controller. */
export const cotLogRoutes = fp<{ zone: ApiTimeZone }>(
  async (app: App, { zone }) => {
    const { database, deviceIndex } = app;
    app.route({
      ...routeOf(cotLog, {
        tags: ["log"],
        summary: "List the reports of a channel's valve in a range",
        params: ByChannel,
      }),
      onRequest: app.authenticate,
      config: { documented: { answer: Type.Array(ChannelRow) } },
      async handler(request) {
        const { id, channel, start, end } = request.params;
        const device = deviceIndex.byId(uuidOf(id, "controller"));
        const owner = ownerFilter(callerOf(request));
        if (!device || (owner !== null && device.accountId !== owner)) throw notFound("controller");
        const source = { deviceId: device.id, deviceType: "COT", channel };
        const rows = await readRows(database, source, rangeOf(start, end, zone));
        return rows.map(({ at, valve = null, moisture = null }) => ({
          createdDate: zone.toApi(at),
          valve,
          moisture,
        }));
      },
    });
  },
  { name: "cot-log", dependencies: ["database", "broker", "auth", "errors"] },
);
