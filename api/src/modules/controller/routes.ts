import { Controller } from "@mulkko/shared/entities/controller";
import { ControllerState } from "@mulkko/shared/entities/controller-state";
import { AddedController, ControllerAddBody, ControllerUpdateBody } from "@mulkko/shared/rest/controller";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import { Nullable } from "@mulkko/shared/schema/nullable";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { Type } from "typebox";
import type { Queryable } from "../../database/database.ts";
import { deviceOfCaller } from "../../devices/access.ts";
import type { KnownDevice } from "../../devices/directory.ts";
import { notFound } from "../../http/api-error.ts";
import { integerOf, serialOf, uuidOf } from "../../http/params.ts";
import { sendJson } from "../../http/send-json.ts";
import type { App } from "../../http/server.ts";
import { MOISTURE_FRESH_MS, readChannels } from "../../ingest/channel-store.ts";
import { linkOf } from "../../ingest/device-links.ts";
import { callerOf, ownerFilter } from "../../plugins/auth.ts";
import { foreignWitness, matching, type Witness } from "../device/witness.ts";
import { modesShown } from "../watering/report.ts";
import { readSettings } from "../watering/repository.ts";
import { deleteChannel, takeSensorOff } from "./channels.ts";
import { addController, changeController, removeController } from "./registry.ts";
import {
  channelMoisture,
  type FoundChannel,
  findChannel,
  listControllers,
  readController,
} from "./repository.ts";
import { controllerStateOf } from "./state.ts";
import { readWitnessedController } from "./witnessed.ts";

const tags = ["controller"];
const ById = Type.Object({ id: Type.String() });
const ByChannel = Type.Object({ channelId: Type.String() });
const BySerial = Type.Object({ serial: Type.String(), channelId: Type.String() });
const ByMember = Type.Object({ channelId: Type.String(), sensorId: Type.String() });
const gone = { 204: Type.Null() };

type Witnessable = Pick<KnownDevice, "id" | "kind" | "accountId">;

const controllerOfChannel = ({ controller_id: id, account_id: accountId }: FoundChannel): Witnessable => ({
  id,
  kind: "controller",
  accountId,
});

/** Valve controllers, their channels and what these report. */
export const controllerRoutes = fp<{ zone: ApiTimeZone; clock: Clock }>(
  async (app: App, { zone, clock }) => {
    const { database, directory, ingest } = app;
    const onRequest = app.authenticate;

    const channelOf = async (request: FastifyRequest, id: string): Promise<FoundChannel> => {
      const owner = ownerFilter(callerOf(request));
      const channel = await findChannel(database, integerOf(id, "channel"), owner);
      if (!channel) throw notFound("channel");
      return channel;
    };
    const read = readWitnessedController(zone);
    const witnessed = (request: FastifyRequest, device: Witnessable, action: string): Witness =>
      foreignWitness(callerOf(request), { device, action, read, clock });
    const controllerOf = (request: FastifyRequest, id: string): KnownDevice =>
      deviceOfCaller(directory, callerOf(request), id, "controller");

    app.route({
      method: "GET",
      url: apiPath.controllers,
      onRequest,
      schema: { tags, summary: "The caller's controllers", response: { 200: Type.Array(Controller) } },
      handler: (request) =>
        listControllers(database, zone, { accountId: callerOf(request).account.id, id: null }),
    });

    app.route({
      method: "GET",
      url: `${apiPath.controllers}/:id`,
      onRequest,
      schema: { tags, summary: "A controller", params: ById, response: { 200: Controller } },
      handler(request) {
        const id = uuidOf(request.params.id, "controller");
        return readController(database, zone, id, ownerFilter(callerOf(request)));
      },
    });

    app.route({
      method: "POST",
      url: apiPath.controllers,
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
      url: `${apiPath.controllers}/:id`,
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
        const witness = witnessed(request, controller, "controller-update");
        const version = async (tx: Queryable) =>
          (await readController(tx, zone, controller.id, controller.accountId)).version;
        await changeController(app, controller, request.body, matching(request, version, witness));
        return readController(database, zone, controller.id, controller.accountId);
      },
    });

    app.route({
      method: "DELETE",
      url: `${apiPath.controllers}/:id`,
      onRequest,
      schema: {
        tags,
        summary: "Delete a controller; its valves are closed",
        params: ById,
        response: gone,
      },
      async handler(request, reply) {
        const controller = controllerOf(request, request.params.id);
        await removeController(app, controller, witnessed(request, controller, "controller-delete"));
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
        const witness = witnessed(request, controllerOfChannel(channel), "channel-delete");
        await database.transaction((tx) => witness(tx, () => deleteChannel(tx, channel)));
        await directory.reload(channel.controller_id);
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
        const witness = witnessed(request, controllerOfChannel(channel), "channel-sensor-remove");
        await database.transaction((tx) => witness(tx, () => takeSensorOff(tx, channel.id, sensorId)));
        ingest.outputs.changed(channel.account_id, "controller", channel.controller_id);
        return reply.code(204).send(null);
      },
    });

    // A sensor of type COT has no channel ids: the channel's number stands in their place.
    app.route({
      method: "GET",
      url: `${apiPath.controllers}/:serial/channel/:channelId/refresh`,
      onRequest,
      schema: {
        tags,
        summary: "What a channel reports",
        params: BySerial,
        response: { 200: ControllerState },
      },
      async handler(request): Promise<ControllerState> {
        const { serial, channelId } = request.params;
        const owner = ownerFilter(callerOf(request));
        const device = directory.bySerial(serialOf(serial, "controller"));
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
