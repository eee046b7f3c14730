import type { ControllerState } from "@mulkko/shared/entities/controller-state";
import { apiPath } from "@mulkko/shared/rest/routes";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyRequest } from "fastify";
import fp from "fastify-plugin";
import { Type } from "typebox";
import type { KnownDevice } from "../../devices/directory.ts";
import { notFound } from "../../http/api-error.ts";
import { integerOf, serialOf, uuidOf } from "../../http/params.ts";
import { sendJson } from "../../http/send-json.ts";
import type { App } from "../../http/server.ts";
import { MOISTURE_FRESH_MS, readChannels } from "../../ingest/channel-store.ts";
import { linkOf } from "../../ingest/device-links.ts";
import { callerOf, ownerFilter } from "../../plugins/auth.ts";
import { channelMoisture, type FoundChannel, findChannel, listControllers } from "./repository.ts";
import { readSetting, SETTING_NAMES } from "./settings.ts";
import { controllerStateOf } from "./state.ts";

const ById = Type.Object({ id: Type.String() });
const ByChannel = Type.Object({ channelId: Type.String() });
const BySerial = Type.Object({ serial: Type.String(), channelId: Type.String() });

/** Valve controllers, their channels and what these report. */
export const controllerRoutes = fp<{ zone: ApiTimeZone; clock: Clock }>(
  async (app: App, { zone, clock }) => {
    const { database, directory, ingest } = app;
    const guarded = { onRequest: app.authenticate };

    const channelOf = async (request: FastifyRequest, id: string): Promise<FoundChannel> => {
      const owner = ownerFilter(callerOf(request));
      const channel = await findChannel(database, integerOf(id, "channel"), owner);
      if (!channel) throw notFound("channel");
      return channel;
    };
    const isMine = (request: FastifyRequest, device: KnownDevice | undefined): device is KnownDevice => {
      const owner = ownerFilter(callerOf(request));
      return device !== undefined && (owner === null || device.accountId === owner);
    };

    app.get(apiPath.controllers, guarded, (request) =>
      listControllers(database, { accountId: callerOf(request).account.id, id: null }),
    );

    app.get(`${apiPath.controllers}/:id`, { ...guarded, schema: { params: ById } }, async (request) => {
      const id = uuidOf(request.params.id, "controller");
      const [controller] = await listControllers(database, { accountId: ownerFilter(callerOf(request)), id });
      if (!controller) throw notFound("controller");
      return controller;
    });

    // A sensor of type COT has no channel ids: the channel's number stands in their place.
    app.get(
      `${apiPath.controllers}/:serial/channel/:channelId/refresh`,
      { ...guarded, schema: { params: BySerial } },
      async (request): Promise<ControllerState> => {
        const { serial, channelId } = request.params;
        const device = directory.bySerial(serialOf(serial, "controller"));
        if (!isMine(request, device)) throw notFound("controller");
        const key = device.kind === "controller" ? channelId : `${device.id}:${channelId}`;
        const channel = device.channels.find((one) => one.key === key);
        if (!channel) throw notFound("channel");
        const stored = await readChannels(database, device.id, clock.now());
        const state = stored.find(({ number }) => number === channel.number);
        return controllerStateOf(device.serial, state, linkOf(ingest.links.of(device.id)), zone);
      },
    );

    app.get(
      "/api/v1/sensor/channel/:channelId/moisture",
      { ...guarded, schema: { params: ByChannel } },
      async (request, reply) => {
        const { id } = await channelOf(request, request.params.channelId);
        return sendJson(reply, await channelMoisture(database, id, clock.now() - MOISTURE_FRESH_MS));
      },
    );

    for (const name of SETTING_NAMES) {
      app.get(
        `${apiPath.controllers}/channel/:channelId/${name}`,
        { ...guarded, schema: { params: ByChannel } },
        async (request, reply) => {
          const { id } = await channelOf(request, request.params.channelId);
          return sendJson(reply, await readSetting(database, name, id));
        },
      );
    }
  },
  { name: "controller", dependencies: ["database", "broker", "auth", "errors"] },
);
