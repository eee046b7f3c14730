import {
  sensorAdd,
  sensorDelete,
  sensorList,
  sensorListOfType,
  sensorRead,
  sensorUpdate,
  widgetList,
} from "@mulkko/shared/rest/operations/sensors";
import { AddedSensor } from "@mulkko/shared/rest/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { callerOf, ownerFilter } from "../accounts/auth.ts";
import type { Queryable } from "../database/database.ts";
import { deviceOfCaller } from "../devices/access.ts";
import { foreignAuditRecorder, matching } from "../devices/audit-recorder.ts";
import { refuseTooMany } from "../devices/enrol.ts";
import { findSensors, listSensors, readSensor } from "../devices/sensor-repository.ts";
import { notFound } from "../http/api-error.ts";
import { onlyOnce } from "../http/once.ts";
import { routeOf } from "../http/operation-route.ts";
import { uuidOf } from "../http/params.ts";
import type { App } from "../http/server.ts";
import { addSensor, changeSensor, readSensorSnapshot, removeSensor, sensorAdded } from "./registry.ts";

const tags = ["sensor"];
const ByType = Type.Object({ deviceType: Type.String({ maxLength: 32 }) });

/** Serve the caller's sensors. */
export const sensorRoutes = fp<{ zone: ApiTimeZone; clock: Clock; timers: Timers; maxDevices: number }>(
  async (app: App, { zone, clock, timers, maxDevices }) => {
    const { database, deviceIndex } = app;
    const onRequest = app.authenticate;
    const read = readSensorSnapshot(zone);

    app.route({
      ...routeOf(sensorList, { tags, summary: "The caller's sensors" }),
      onRequest,
      handler: (request) => listSensors(database, zone, callerOf(request).account.id),
    });

    app.route({
      ...routeOf(sensorListOfType, { tags, summary: "The caller's sensors of one type", params: ByType }),
      onRequest,
      handler(request) {
        const { deviceType } = request.params;
        return listSensors(database, zone, callerOf(request).account.id, { deviceType });
      },
    });

    app.route({
      ...routeOf(widgetList, { tags, summary: "The caller's sensors that are shown as cards" }),
      onRequest,
      handler: (request) => listSensors(database, zone, callerOf(request).account.id, { widget: true }),
    });

    app.route({
      ...routeOf(sensorRead, { tags, summary: "A sensor's type and channels" }),
      onRequest,
      async handler(request) {
        const id = uuidOf(request.params.id, "sensor");
        const [sensor] = await findSensors(database, [id], ownerFilter(callerOf(request)));
        if (!sensor) throw notFound("sensor");
        return { deviceType: sensor.device_type, chNums: sensor.ch_nums };
      },
    });

    app.route({
      ...routeOf(sensorAdd, { tags, summary: "Register a sensor; its key is in the answer, once" }),
      onRequest,
      async handler(request): Promise<AddedSensor> {
        const { id: accountId, user_type: userType } = callerOf(request).account;
        return onlyOnce({ database, clock, timers }, request, accountId, AddedSensor, {
          async create(tx) {
            if (userType !== "ADMIN") await refuseTooMany(tx, accountId, maxDevices);
            const { id, deviceKey } = await addSensor(tx, app, accountId, request.body, clock.now());
            return { ...(await readSensor(tx, zone, id)), deviceKey, mqtt: app.deviceBroker };
          },
          follow: ({ id }) => sensorAdded(app, accountId, `${id}`),
        });
      },
    });

    app.route({
      ...routeOf(sensorUpdate, { tags, summary: "Change a sensor" }),
      onRequest,
      async handler(request) {
        const caller = callerOf(request);
        const device = deviceOfCaller(deviceIndex, caller, request.params.id, "sensor");
        const auditRecorder = foreignAuditRecorder(caller, { device, action: "sensor-update", read, clock });
        const version = async (tx: Queryable) => (await readSensor(tx, zone, device.id)).version;
        await changeSensor(app, device, request.body, false, matching(request, version, auditRecorder));
        return readSensor(database, zone, device.id);
      },
    });

    app.route({
      ...routeOf(sensorDelete, { tags, summary: "Delete a sensor with all its readings" }),
      onRequest,
      async handler(request, reply) {
        const caller = callerOf(request);
        const device = deviceOfCaller(deviceIndex, caller, request.params.id, "sensor");
        const auditRecorder = foreignAuditRecorder(caller, { device, action: "sensor-delete", read, clock });
        await removeSensor(app, device, auditRecorder);
        return reply.code(204).send(null);
      },
    });
  },
  { name: "sensor", dependencies: ["database", "broker", "auth", "errors"] },
);
