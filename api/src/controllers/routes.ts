import { Controller } from "@mulkko/shared/entities/controller";
import { ControllerState } from "@mulkko/shared/entities/controller-state";
import { AddedController, ControllerAddBody, ControllerUpdateBody } from "@mulkko/shared/rest/controller";
import { controllerList } from "@mulkko/shared/rest/operations/controllers";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { MOISTURE_FRESH_MS } from "@mulkko/shared/rules/automatic-mode";
import type { Clock } from "@mulkko/shared/rules/clock";
import { Nullable } from "@mulkko/shared/schema/nullable";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { callerOf, ownerFilter } from "../accounts/auth.ts";
import type { Queryable } from "../database/database.ts";
import { deviceOfCaller } from "../devices/access.ts";
import { type AuditRecorder, foreignAuditRecorder, matching } from "../devices/audit-recorder.ts";
import type { KnownDevice } from "../devices/device-index.ts";
import { linkOf } from "../devices/device-links.ts";
import { notFound } from "../http/api-error.ts";
import { integerOf, serialOf, uuidOf } from "../http/params.ts";
import { type App, sendJson } from "../http/server.ts";
import { readChannels } from "../valves/channel-store.ts";
import { deleteChannel, takeSensorOff } from "../valves/channels.ts";
import {
  channelMoisture,
  type FoundChannel,
  findChannel,
  listControllers,
  readController,
} from "../valves/controller-repository.ts";
import { controllerStateOf } from "../valves/controller-state.ts";
import { modesShown } from "../valves/modes/report.ts";
import { readSettings } from "../valves/modes/repository.ts";
import { addController, changeController, readControllerSnapshot, removeController } from "./registry.ts";

const tags = ["controller"];
const ById = Type.Object({ id: Type.String() });
const ByChannel = Type.Object({ channelId: Type.String() });
const BySerial = Type.Object({ serial: Type.String(), channelId: Type.String() });
const ByMember = Type.Object({ channelId: Type.String(), sensorId: Type.String() });
const gone = { 204: Type.Null() };

type Auditable = Pick<KnownDevice, "id" | "kind" | "accountId">;

const controllerOfChannel = ({ controller_id: id, account_id: accountId }: FoundChannel): Auditable => ({
  id,
  kind: "controller",
  accountId,
});

/** Serve valve controllers, their channels and their reports. */
export const controllerRoutes = fp<{ zone: ApiTimeZone; clock: Clock }>(
  async (app: App, { zone, clock }) => {
    const { database, deviceIndex, ingest } = app;
    const onRequest = app.authenticate;

    const channelOf = async (request: FastifyRequest, id: string): Promise<FoundChannel> => {
      const owner = ownerFilter(callerOf(request));
      const channel = await findChannel(database, integerOf(id, "channel"), owner);
      if (!channel) throw notFound("channel");
      return channel;
    };
    const read = readControllerSnapshot(zone);
    const audited = (request: FastifyRequest, device: Auditable, action: string): AuditRecorder =>
      foreignAuditRecorder(callerOf(request), { device, action, read, clock });
    const controllerOf = (request: FastifyRequest, id: string): KnownDevice =>
      deviceOfCaller(deviceIndex, callerOf(request), id, "controller");

    app.route({
      method: "GET",
      url: controllerList.path,
      onRequest,
      schema: { tags, summary: "The caller's controllers", response: { 200: Type.Array(Controller) } },
      handler: (request) =>
        listControllers(database, zone, { accountId: callerOf(request).account.id, id: null }),
    });

    app.route({
      method: "GET",
      url: `${controllerList.path}/:id`,
      onRequest,
      schema: { tags, summary: "A controller", params: ById, response: { 200: Controller } },
      handler(request) {
        const id = uuidOf(request.params.id, "controller");
        return readController(database, zone, id, ownerFilter(callerOf(request)));
      },
    });

    app.route({
      method: "POST",
      url: controllerList.path,
      onRequest,
      schema: {
        tags,
        summary: "Register a controller; its key is in the answer, once",
        body: ControllerAddBody,
        response: { 200: AddedController },
      },
      async handler(request): Promise<AddedController> {
        const accountId = callerOf(request).account.id;
        const { id, deviceKey } = await addController(app, accountId, request.body, clock.now());
        return {
          ...(await readController(database, zone, id, accountId)),
          deviceKey,
          mqtt: app.deviceBroker,
        };
      },
    });

    app.route({
      method: ["PUT", "POST"],
      url: `${controllerList.path}/:id`,
      onRequest,
      schema: {
        tags,
        summary: "Change a controller, and the channels that are listed",
        params: ById,
        body: ControllerUpdateBody,
        response: { 200: Controller },
      },
      async handler(request) {
        const controller = controllerOf(request, request.params.id);
        const auditRecorder = audited(request, controller, "controller-update");
        const version = async (tx: Queryable) =>
          (await readController(tx, zone, controller.id, controller.accountId)).version;
        await changeController(app, controller, request.body, matching(request, version, auditRecorder));
        return readController(database, zone, controller.id, controller.accountId);
      },
    });

    app.route({
      method: "DELETE",
      url: `${controllerList.path}/:id`,
      onRequest,
      schema: {
        tags,
        summary: "Delete a controller; its valves are closed",
        params: ById,
        response: gone,
      },
      async handler(request, reply) {
        const controller = controllerOf(request, request.params.id);
        await removeController(app, controller, audited(request, controller, "controller-delete"));
        return reply.code(204).send(null);
      },
    });

    app.route({
      method: "DELETE",
      url: "/api/v1/sensor/channel/:channelId",
      onRequest,
      schema: {
        tags,
        summary: "Delete a channel; its valve is closed",
        params: ByChannel,
        response: gone,
      },
      async handler(request, reply) {
        const channel = await channelOf(request, request.params.channelId);
        await app.delivery.silence({ id: channel.controller_id, serial: channel.serial }, [channel.number]);
        const auditRecorder = audited(request, controllerOfChannel(channel), "channel-delete");
        await database.transaction((tx) => auditRecorder(tx, () => deleteChannel(tx, channel)));
        await deviceIndex.reload(channel.controller_id);
        ingest.outputs.changed(channel.account_id, "controller", channel.controller_id);
        return reply.code(204).send(null);
      },
    });

    app.route({
      method: "DELETE",
      url: "/api/v1/sensor/channel/:channelId/sensor/:sensorId",
      onRequest,
      schema: {
        tags,
        summary: "Take a sensor off a channel, by its id or its serial",
        params: ByMember,
        response: gone,
      },
      async handler(request, reply) {
        const channel = await channelOf(request, request.params.channelId);
        const { sensorId } = request.params;
        const auditRecorder = audited(request, controllerOfChannel(channel), "channel-sensor-remove");
        await database.transaction((tx) => auditRecorder(tx, () => takeSensorOff(tx, channel.id, sensorId)));
        ingest.outputs.changed(channel.account_id, "controller", channel.controller_id);
        return reply.code(204).send(null);
      },
    });

    // A sensor of type COT has no channel ids: it uses the channel's number instead.
    app.route({
      method: "GET",
      url: `${controllerList.path}/:serial/channel/:channelId/refresh`,
      onRequest,
      schema: {
        tags,
        summary: "Return the reported state of a channel",
        params: BySerial,
        response: { 200: ControllerState },
      },
      async handler(request): Promise<ControllerState> {
        const { serial, channelId } = request.params;
        const owner = ownerFilter(callerOf(request));
        const device = deviceIndex.bySerial(serialOf(serial, "controller"));
        if (!device || (owner !== null && device.accountId !== owner)) throw notFound("controller");
        const key = device.kind === "controller" ? channelId : `${device.id}:${channelId}`;
        const channel = device.channels.find((one) => one.key === key);
        if (!channel) throw notFound("channel");
        const stored = await readChannels(database, device.id, clock.now());
        const state = stored.find(({ number }) => number === channel.number);
        const settings = state ? [] : await readSettings(database, device.id);
        const modes =
          state?.modes ??
          modesShown(
            {},
            settings.find(({ number }) => number === channel.number),
          );
        return controllerStateOf(device.serial, state, linkOf(ingest.links.of(device.id)), zone, modes);
      },
    });

    app.route({
      method: "GET",
      url: "/api/v1/sensor/channel/:channelId/moisture",
      onRequest,
      schema: {
        tags,
        summary: "Mean moisture of a channel's sensors, %, or null",
        params: ByChannel,
        response: { 200: Nullable(Type.Number()) },
      },
      async handler(request, reply) {
        const { id } = await channelOf(request, request.params.channelId);
        return sendJson(reply, await channelMoisture(database, id, clock.now() - MOISTURE_FRESH_MS));
      },
    });
  },
  { name: "controller", dependencies: ["database", "broker", "watering", "auth", "errors"] },
);
