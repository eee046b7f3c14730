import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { notFound } from "../../http/api-error.ts";
import { uuidOf } from "../../http/params.ts";
import type { App } from "../../http/server.ts";
import { callerOf, ownerFilter } from "../../plugins/auth.ts";
import { findSensors, listSensors } from "./repository.ts";

const ById = Type.Object({ id: Type.String() });
const ByType = Type.Object({ deviceType: Type.String({ maxLength: 32 }) });

/** The caller's sensors. */
export const sensorRoutes = fp<{ zone: ApiTimeZone }>(
  async (app: App, { zone }) => {
    const { database } = app;
    const guarded = { onRequest: app.authenticate };

    app.get("/api/v1/sensor/list", guarded, (request) =>
      listSensors(database, zone, callerOf(request).account.id),
    );

    app.get("/api/v1/sensor/list/:deviceType", { ...guarded, schema: { params: ByType } }, (request) =>
      listSensors(database, zone, callerOf(request).account.id, { deviceType: request.params.deviceType }),
    );

    app.get("/api/v1/sensor/widget/list", guarded, (request) =>
      listSensors(database, zone, callerOf(request).account.id, { widget: true }),
    );

    app.get("/api/v1/sensor/read/:id", { ...guarded, schema: { params: ById } }, async (request) => {
      const id = uuidOf(request.params.id, "sensor");
      const [sensor] = await findSensors(database, [id], ownerFilter(callerOf(request)));
      if (!sensor) throw notFound("sensor");
      return { deviceType: sensor.device_type, chNums: sensor.ch_nums };
    });
  },
  { name: "sensor", dependencies: ["database", "auth", "errors"] },
);
