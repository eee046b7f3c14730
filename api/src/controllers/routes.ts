import type { ControllerState } from "@mulkko/shared/entities/controller-state";
import { AddedController } from "@mulkko/shared/rest/controller";
import {
  channelDelete,
  channelMoisture,
  channelSensorRemove,
  channelState,
  controllerAdd,
  controllerDelete,
  controllerList,
  controllerRead,
  controllerUpdate,
} from "@mulkko/shared/rest/operations/controllers";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { MOISTURE_FRESH_MS } from "@mulkko/shared/rules/automatic-mode";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { callerOf, ownerFilter } from "../accounts/auth.ts";
import type { Queryable } from "../database/database.ts";
import { deviceOfCaller } from "../devices/access.ts";
import { type AuditRecorder, foreignAuditRecorder, matching } from "../devices/audit-recorder.ts";
import type { KnownDevice } from "../devices/device-index.ts";
import { refuseTooMany } from "../devices/enrol.ts";
import { notFound } from "../http/api-error.ts";
import { onlyOnce } from "../http/once.ts";
import { routeOf } from "../http/operation-route.ts";
import { integerOf, serialOf, uuidOf } from "../http/params.ts";
import { type App, sendJson } from "../http/server.ts";
import { readChannels } from "../valves/channel-store.ts";
import { deleteChannel, takeSensorOff } from "../valves/channels.ts";
import {
  type FoundChannel,
  findChannel,
  listControllers,
  meanMoisture,
  readController,
} from "../valves/controller-repository.ts";
import { controllerStateOf } from "../valves/controller-state.ts";
import { modesShown } from "../valves/modes/report.ts";
import { readSettings } from "../valves/modes/repository.ts";
import {
  addController,
  changeController,
  controllerAdded,
  readControllerSnapshot,
  removeController,
} from "./registry.ts";

const tags = ["controller"];

type Auditable = Pick<KnownDevice, "id" | "kind" | "accountId">;

const controllerOfChannel = ({ controller_id: id, account_id: accountId }: FoundChannel): Auditable => ({
  id,
  kind: "controller",
  accountId,
});

/** Serve valve controllers, their channels and their reports. */
export const controllerRoutes = fp<{ zone: ApiTimeZone; clock: Clock; timers: Timers; maxDevices: number }>(
  async (app: App, { zone, clock, timers, maxDevices }) => {
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
      ...routeOf(controllerList, { tags, summary: "The caller's controllers" }),
      onRequest,
      handler: (request) =>
        listControllers(database, zone, { accountId: callerOf(request).account.id, id: null }),
    });

    app.route({
      ...routeOf(controllerRead, { tags, summary: "A controller" }),
      onRequest,
      handler(request) {
        const id = uuidOf(request.params.id, "controller");
        return readController(database, zone, id, ownerFilter(callerOf(request)));
      },
    });

    app.route({
      ...routeOf(controllerAdd, { tags, summary: "Register a controller; its key is in the answer, once" }),
      onRequest,
      async handler(request): Promise<AddedController> {
        const { id: accountId, user_type: userType } = callerOf(request).account;
        return onlyOnce({ database, clock, timers }, request, accountId, AddedController, {
          async create(tx) {
            if (userType !== "ADMIN") await refuseTooMany(tx, accountId, maxDevices);
            const { id, deviceKey } = await addController(tx, app, accountId, request.body, clock.now());
            const controller = await readController(tx, zone, id, accountId);
            return { ...controller, deviceKey, mqtt: app.deviceBroker };
          },
          follow: ({ id }) => controllerAdded(app, accountId, `${id}`),
        });
      },
    });

    app.route({
      ...routeOf(controllerUpdate, {
        tags,
        summary: "Change a controller, and the channels that are listed",
      }),
      onRequest,
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
      ...routeOf(controllerDelete, { tags, summary: "Delete a controller; its valves are closed" }),
      onRequest,
      async handler(request, reply) {
        const controller = controllerOf(request, request.params.id);
        await removeController(app, controller, audited(request, controller, "controller-delete"));
        return reply.code(204).send(null);
      },
    });

    app.route({
      ...routeOf(channelDelete, { tags, summary: "Delete a channel; its valve is closed" }),
      onRequest,
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
      ...routeOf(channelSensorRemove, {
        tags,
        summary: "Take a sensor off a channel, by its id or its serial",
      }),
      onRequest,
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
      ...routeOf(channelState, { tags, summary: "Return the reported state of a channel" }),
      onRequest,
      async handler(request): Promise<ControllerState> {
        const { serial, channelId } = request.params;
        const owner = ownerFilter(callerOf(request));
        const device = deviceIndex.bySerial(serialOf(serial, "controller"));
        if (!device || (owner !== null && device.accountId !== owner)) throw notFound("controller");
        const key = device.kind === "controller" ? channelId : `${device.id}:${channelId}`;
        const channel = device.channels.find((one) => one.key === key);
        if (!channel) throw notFound("channel");
        const stored = await readChannels(database, device.id, clock.now());
        const link = ingest.links.ofChannel(device.id, channel.number);
        const state = stored.find(({ number }) => number === channel.number);
        const settings = state ? [] : await readSettings(database, device.id);
        const modes =
          state?.modes ??
          modesShown(
            {},
            settings.find(({ number }) => number === channel.number),
          );
        return controllerStateOf(device.serial, state, link, zone, modes);
      },
    });

    app.route({
      ...routeOf(channelMoisture, { tags, summary: "Mean moisture of a channel's sensors, %, or null" }),
      onRequest,
      async handler(request, reply) {
        const { id } = await channelOf(request, request.params.channelId);
        return sendJson(reply, await meanMoisture(database, id, clock.now() - MOISTURE_FRESH_MS));
      },
    });
  },
  { name: "controller", dependencies: ["database", "broker", "watering", "auth", "errors"] },
);
