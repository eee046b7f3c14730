import {
  adminDevices,
  adminSensorAdd,
  adminSensorDelete,
  adminSensors,
  adminSensorUpdate,
} from "@mulkko/shared/rest/operations/admin";
import type { SearchQuery } from "@mulkko/shared/rest/paging";
import { AddedSensor, type AdminSensor } from "@mulkko/shared/rest/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { callerOf } from "../accounts/auth.ts";
import { findAccount } from "../accounts/repository.ts";
import { recordAuditEntry } from "../audit/repository.ts";
import type { Queryable } from "../database/database.ts";
import { deviceOfCaller } from "../devices/access.ts";
import { auditRecorderOf, matching } from "../devices/audit-recorder.ts";
import { linkOf } from "../devices/device-links.ts";
import { readSensor } from "../devices/sensor-repository.ts";
import { notFound } from "../http/api-error.ts";
import { onlyOnce } from "../http/once.ts";
import { routeOf } from "../http/operation-route.ts";
import { isPaged, sliceOf } from "../http/paging.ts";
import { uuidOf } from "../http/params.ts";
import type { App } from "../http/server.ts";
import {
  addSensor,
  changeSensor,
  readSensorSnapshot,
  removeSensor,
  sensorAdded,
  sensorSnapshot,
} from "../sensors/registry.ts";
import { findAllSensors, findFleet, MAX_WHOLE_LIST, type Search } from "./device-repository.ts";

const tags = ["administration"];

const searchOf = (query: SearchQuery): Search => ({
  slice: isPaged(query) ? sliceOf(query) : { limit: MAX_WHOLE_LIST, offset: 0 },
  q: query.q,
  sort: query.sort,
});

/** Serve the devices of all accounts to administrators. */
export const adminDeviceRoutes = fp<{ zone: ApiTimeZone; clock: Clock; timers: Timers }>(
  async (app: App, { zone, clock, timers }) => {
    const { database, deviceIndex, ingest } = app;
    const onRequest = app.authenticateAdmin;
    const read = readSensorSnapshot(zone);

    app.route({
      ...routeOf(adminSensors, {
        tags,
        summary: "Sensors of all accounts: bare and whole, or a page of what is searched for",
      }),
      onRequest,
      async handler(request) {
        const page = await findAllSensors(database, zone, searchOf(request.query));
        return isPaged(request.query) ? page : page.content;
      },
    });

    app.route({
      ...routeOf(adminDevices, { tags, summary: "A page of all sensors and controllers" }),
      onRequest,
      async handler(request) {
        const { q, sort } = request.query;
        const search = { slice: sliceOf(request.query), q, sort };
        const page = await findFleet(database, zone, search, clock.now());
        const content = page.content.map((device) =>
          device.kind === "controller"
            ? { ...device, link: linkOf(ingest.links.of(`${device.id}`)) }
            : device,
        );
        return { ...page, content };
      },
    });

    app.route({
      ...routeOf(adminSensorAdd, {
        tags,
        summary: "Register a sensor for an account; its key is in the answer, once",
      }),
      onRequest,
      async handler(request): Promise<AddedSensor> {
        const owner = await findAccount(database, uuidOf(request.body.userId, "account"));
        if (!owner) throw notFound("account");
        const actor = callerOf(request).account;
        return onlyOnce({ database, clock, timers }, request, actor.id, AddedSensor, {
          async create(tx) {
            const { id, deviceKey } = await addSensor(tx, app, owner.id, request.body, clock.now());
            const sensor = await readSensor(tx, zone, id);
            const { name, values: after } = sensorSnapshot(sensor);
            const subject = { kind: "sensor", id, name };
            await recordAuditEntry(tx, { actor, action: "sensor-add", subject, after }, clock.now());
            return { ...sensor, deviceKey, mqtt: app.deviceBroker };
          },
          follow: ({ id }) => sensorAdded(app, owner.id, `${id}`),
        });
      },
    });

    app.route({
      ...routeOf(adminSensorUpdate, { tags, summary: "Change any account's sensor, its serial too" }),
      onRequest,
      async handler(request): Promise<AdminSensor> {
        const caller = callerOf(request);
        const device = deviceOfCaller(deviceIndex, caller, request.body.id, "sensor");
        const auditRecorder = auditRecorderOf(caller, { device, action: "sensor-update", read, clock });
        const version = async (tx: Queryable) => (await readSensor(tx, zone, device.id)).version;
        await changeSensor(app, device, request.body, true, matching(request, version, auditRecorder));
        const sensor = await readSensor(database, zone, device.id);
        const owner = await findAccount(database, device.accountId);
        return { ...sensor, username: owner?.username ?? "" };
      },
    });

    app.route({
      ...routeOf(adminSensorDelete, { tags, summary: "Delete any account's sensor with all its readings" }),
      onRequest,
      async handler(request, reply) {
        const caller = callerOf(request);
        const device = deviceOfCaller(deviceIndex, caller, request.params.id, "sensor");
        await removeSensor(
          app,
          device,
          auditRecorderOf(caller, { device, action: "sensor-delete", read, clock }),
        );
        return reply.code(204).send(null);
      },
    });
  },
  { name: "admin-devices", dependencies: ["database", "broker", "watering", "auth", "errors"] },
);
