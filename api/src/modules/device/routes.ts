import { DeviceKey } from "@mulkko/shared/rest/sensor";
import fp from "fastify-plugin";
import { Type } from "typebox";
import { deviceOfCaller } from "../../devices/access.ts";
import { hashSecret, newDeviceKey } from "../../devices/device-key.ts";
import { replaceKey } from "../../devices/enrol.ts";
import type { App } from "../../http/server.ts";
import { callerOf } from "../../plugins/auth.ts";

/** What sensors and controllers have in common: a key. */
export const deviceRoutes = fp(
  async (app: App) => {
    app.route({
      method: "POST",
      url: "/api/v1/device/:id/key",
      onRequest: app.authenticate,
      schema: {
        tags: ["device"],
        summary: "Make a new key; the old one is refused from now on",
        params: Type.Object({ id: Type.String() }),
        response: { 200: DeviceKey },
      },
      async handler(request) {
        const device = deviceOfCaller(app.directory, callerOf(request), request.params.id, "device");
        const deviceKey = newDeviceKey();
        await replaceKey(app.database, device.id, hashSecret(deviceKey));
        await app.directory.reload(device.id);
        app.broker.endSession(device.serial);
        request.log.info({ serial: device.serial }, "a device has a new key");
        return { deviceKey };
      },
    });
  },
  { name: "device", dependencies: ["database", "broker", "auth", "errors"] },
);
