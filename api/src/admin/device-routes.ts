import { PageOf, SearchQuery } from "@mulkko/shared/rest/paging";
import {
  AddedSensor,
  AdminSensor,
  AdminSensorAddBody,
  AdminSensorUpdateBody,
  FleetDevice,
} from "@mulkko/shared/rest/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { callerOf } from "../accounts/auth.ts";
import { findAccount } from "../accounts/repository.ts";
import { recordAuditEntry } from "../audit/repository.ts";
import type { Queryable } from "../database/database.ts";
import { deviceOfCaller } from "../devices/access.ts";
import { auditRecorderOf, matching } from "../devices/audit-recorder.ts";
import { linkOf } from "../devices/device-links.ts";
import { readSensor } from "../devices/sensor-repository.ts";
import { notFound } from "../http/api-error.ts";
import { isPaged, sliceOf } from "../http/paging.ts";
import { uuidOf } from "../http/params.ts";
import type { App } from "../http/server.ts";
import {
  addSensor,
  changeSensor,
  readSensorSnapshot,
  removeSensor,
  sensorSnapshot,
} from "../sensors/registry.ts";
import { findAllSensors, findFleet, MAX_WHOLE_LIST, type Search } from "./device-repository.ts";

const tags = ["administration"];
const ById = Type.Object({ id: Type.String() });

const searchOf = (query: SearchQuery): Search => ({
  slice: isPaged(query) ? sliceOf(query) : { limit: MAX_WHOLE_LIST, offset: 0 },
  q: query.q,
  sort: query.sort,
});

/** Serve the devices of all accounts to administrators. */
export const adminDeviceRoutes = fp<{ zone: ApiTimeZone; clock: Clock }>(
  async (app: App, { zone, clock }) => {
    const { database, deviceIndex, ingest } = app;
    const onRequest = app.authenticateAdmin;
    const read = readSensorSnapshot(zone);

    app.route({
      method: "GET",
      url: "/api/v1/admin/sensors",
      onRequest,
      schema: {
        tags,
        summary: "Sensors of all accounts: bare and whole, or a page of what is searched for",
        querystring: SearchQuery,
        response: { 200: Type.Union([Type.Array(AdminSensor), PageOf(AdminSensor)]) },
      },
      async handler(request) {
        const page = await findAllSensors(database, zone, searchOf(request.query));
        return isPaged(request.query) ? page : page.content;
      },
    });

    app.route({
      method: "GET",
      url: "/api/v1/admin/devices",
      onRequest,
      schema: {
        tags,
        summary: "A page of all sensors and controllers",
        querystring: SearchQuery,
        response: { 200: PageOf(FleetDevice) },
      },
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
      method: "POST",
      url: "/api/v1/admin/sensor/add",
      onRequest,
      schema: {
        tags,
        summary: "Register a sensor for an account; its key is in the answer, once",
        body: AdminSensorAddBody,
        response: { 200: AddedSensor },
      },
      async handler(request): Promise<AddedSensor> {
        const owner = await findAccount(database, uuidOf(request.body.userId, "account"));
        if (!owner) throw notFound("account");
        const { id, deviceKey } = await addSensor(app, owner.id, request.body, clock.now());
        const sensor = await readSensor(database, zone, id);
        const { name, values: after } = sensorSnapshot(sensor);
        const subject = { kind: "sensor", id, name };
        const actor = callerOf(request).account;
        await recordAuditEntry(database, { actor, action: "sensor-add", subject, after }, clock.now());
        return { ...sensor, deviceKey, mqtt: app.deviceBroker };
      },
    });

    app.route({
      method: ["PUT", "POST"],
      url: "/api/v1/admin/sensor/update",
      onRequest,
      schema: {
        tags,
        summary: "Change any account's sensor, its serial too",
        body: AdminSensorUpdateBody,
        response: { 200: AdminSensor },
      },
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
      method: ["DELETE", "POST"],
      url: "/api/v1/admin/sensor/delete/:id",
      onRequest,
      schema: {
        tags,
        summary: "Delete any account's sensor with all its readings",
        params: ById,
        response: { 204: Type.Null() },
      },
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
