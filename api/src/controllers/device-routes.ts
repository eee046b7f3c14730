import { deviceKeyRenew, deviceProfiles } from "@mulkko/shared/rest/operations/devices";
import { DeviceKey } from "@mulkko/shared/rest/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { callerOf } from "../accounts/auth.ts";
import { hashSecret, newDeviceKey } from "../accounts/key.ts";
import { deviceOfCaller } from "../devices/access.ts";
import { foreignAuditRecorder } from "../devices/audit-recorder.ts";
import { replaceKey } from "../devices/enrol.ts";
import { onlyOnce } from "../http/once.ts";
import { routeOf } from "../http/operation-route.ts";
import type { App } from "../http/server.ts";
import { readSensorSnapshot } from "../sensors/registry.ts";
import { readControllerSnapshot } from "./registry.ts";

/** Serve what sensors and controllers share: a key, and the decoders of their messages. */
export const deviceRoutes = fp<{ zone: ApiTimeZone; clock: Clock; timers: Timers }>(
  async (app: App, { zone, clock, timers }) => {
    const readers = { sensor: readSensorSnapshot(zone), controller: readControllerSnapshot(zone) };

    app.route({
      ...routeOf(deviceProfiles, {
        tags: ["device"],
        summary: "The decoders that a device's `profile` may name (extension devices), by maker and model",
      }),
      onRequest: app.authenticate,
      handler: () =>
        [...app.profiles.values()]
          .map(({ name, maker, model, deviceTypes }) => ({ name, maker, model, deviceTypes }))
          .sort((a, b) => `${a.maker} ${a.model}`.localeCompare(`${b.maker} ${b.model}`, "en")),
    });

    app.route({
      ...routeOf(deviceKeyRenew, {
        tags: ["device"],
        summary: "Make a new key; the old one is refused from now on",
      }),
      onRequest: app.authenticate,
      async handler(request) {
        const caller = callerOf(request);
        const device = deviceOfCaller(app.deviceIndex, caller, request.params.id, "device");
        const deviceKey = newDeviceKey();
        const keyHash = hashSecret(deviceKey);
        const read = readers[device.kind];
        const auditRecorder = foreignAuditRecorder(caller, {
          device,
          action: `${device.kind}-key`,
          read,
          clock,
        });
        return onlyOnce({ database: app.database, clock, timers }, request, caller.account.id, DeviceKey, {
          async create(tx) {
            await auditRecorder(tx, () => replaceKey(tx, device.id, keyHash));
            return { deviceKey, mqtt: app.deviceBroker };
          },
          async follow() {
            await app.deviceIndex.reload(device.id);
            app.broker.endSession(device.serial);
            request.log.info({ event: "device-key-renewed", serial: device.serial }, "renewed device key");
          },
        });
      },
    });
  },
  { name: "device", dependencies: ["database", "broker", "auth", "errors"] },
);
