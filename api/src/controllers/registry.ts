import { randomUUID } from "node:crypto";
import { isControllerType } from "@mulkko/shared/catalogue/controller-types";
import type { Controller } from "@mulkko/shared/entities/controller";
import type { ControllerAddBody, ControllerUpdateBody } from "@mulkko/shared/rest/controller";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { hashSecret, newDeviceKey } from "../accounts/key.ts";
import type { Queryable } from "../database/database.ts";
import type { AuditRecorder, ReadAuditSnapshot } from "../devices/audit-recorder.ts";
import type { DriverName, KnownDevice } from "../devices/device-index.ts";
import { deleteDevice, insertDevice, profileOf, textOrNull, updateDevice } from "../devices/enrol.ts";
import { serialNumberOf } from "../devices/sensor-rules.ts";
import { farmOfAccount } from "../farms/repository.ts";
import { ApiError, notFound } from "../http/api-error.ts";
import { requiredText } from "../http/params.ts";
import type { App } from "../http/server.ts";
import { channelPlansOf, mustTakeItsSensors, writeChannels } from "../valves/channels.ts";
import { readController } from "../valves/controller-repository.ts";
import { driverOfBody, NATIVE, ownAddress } from "../valves/drivers/enrol.ts";

/** Format channels with the serials of their sensors: `1 (810001, 810002), 2`. */
const channelsOf = ({ channels }: Controller): string =>
  (channels ?? [])
    .map(({ channelNumber, sensors }) => {
      const serials = (sensors ?? []).map(({ serial }) => serial);
      return serials.length === 0 ? `${channelNumber}` : `${channelNumber} (${serials.join(", ")})`;
    })
    .join(", ");

/** Return the audited values of a controller. */
export const readControllerSnapshot =
  (zone: ApiTimeZone): ReadAuditSnapshot =>
  async (tx, id) => {
    const controller = await readController(tx, zone, id, null);
    const { name, serial, type, description, clusterId } = controller;
    return {
      name: name || String(serial),
      values: {
        name: name ?? "",
        serial: Number(serial),
        deviceType: type ?? "",
        description: description ?? "",
        clusterId: Number(clusterId ?? 0),
        channels: channelsOf(controller),
      },
    };
  };

type Deps = Pick<App, "database" | "deviceIndex" | "ingest" | "broker" | "delivery" | "profiles">;

function typeOf(type: string): string {
  const trimmed = type.trim();
  if (isControllerType(trimmed)) return trimmed;
  throw new ApiError(422, "validation", "unknown controller type", { field: "type" });
}

/**
 * Register a controller with its channels. Runs in a transaction; {@link controllerAdded} follows it.
 *
 * @param now ms since 1970 UTC
 * @returns its id, and its key, which is not stored
 * @throws ApiError 422 for a broken rule, 409 for a serial or external id in use, 404 for another account's
 * sensor or farm
 */
export async function addController(
  tx: Queryable,
  { profiles }: Pick<Deps, "profiles">,
  accountId: string,
  body: ControllerAddBody,
  now: number,
): Promise<{ id: string; deviceKey: string }> {
  const name = requiredText(body.name, "name");
  const serial = serialNumberOf(body.serial);
  const type = typeOf(body.type);
  const plans = channelPlansOf(body.channels ?? []);
  const externalId = textOrNull(body.externalId);
  const profile = profileOf(body.profile, profiles);
  const { driver, address } = driverOfBody(body, NATIVE);
  const [id, deviceKey] = [randomUUID(), newDeviceKey()];
  const keyHash = hashSecret(deviceKey);
  const clusterId = await farmOfAccount(tx, accountId, body.clusterId ?? null);
  await insertDevice(tx, { id, serial, kind: "controller", accountId, keyHash, externalId, profile }, now);
  await ownAddress(
    tx.query(
      `insert into controller (id, name, description, type, cluster_id, driver, address)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [id, name, body.description ?? "", type, clusterId, driver, address],
    ),
  );
  await writeChannels(tx, { id, accountId, type }, plans);
  return { id, deviceKey };
}

/** Follow a stored registration. */
export async function controllerAdded(
  { deviceIndex, ingest }: Pick<Deps, "deviceIndex" | "ingest">,
  accountId: string,
  id: string,
): Promise<void> {
  await deviceIndex.reload(id);
  ingest.outputs.changed(accountId, "controller", id);
}

interface StoredController {
  description: string;
  type: string;
  cluster_id: number | null;
  external_id: string | null;
  profile: string | null;
  driver: DriverName;
  address: string | null;
}

/**
 * Change a controller and its listed channels; missing values stay unchanged.
 *
 * @param auditRecorder runs the change in its transaction
 * @throws ApiError as {@link addController}; 404 also for a controller deleted meanwhile
 */
export async function changeController(
  { database, deviceIndex, ingest, broker, profiles }: Deps,
  { id, accountId, serial: before }: KnownDevice,
  body: ControllerUpdateBody,
  auditRecorder: AuditRecorder,
): Promise<void> {
  const name = requiredText(body.name, "name");
  const serial = serialNumberOf(body.serial);
  const plans = channelPlansOf(body.channels ?? []);
  let isOther = false;
  await database.transaction(async (tx) => {
    const [stored] = await tx.query<StoredController>(
      `select description, type, cluster_id, external_id, profile, driver, address
       from controller join device using (id) where controller.id = $1 for update`,
      [id],
    );
    if (!stored) throw notFound("controller");
    const type = body.type === undefined ? stored.type : typeOf(body.type);
    const { clusterId, externalId, profile } = body;
    const farm =
      clusterId === undefined || clusterId === null
        ? stored.cluster_id
        : await farmOfAccount(tx, accountId, clusterId);
    const { driver, address } = driverOfBody(body, stored);
    isOther = driver !== stored.driver || address !== stored.address;
    await auditRecorder(tx, async () => {
      await updateDevice(tx, id, {
        serial,
        externalId: externalId === undefined ? stored.external_id : textOrNull(externalId),
        profile: profile === undefined ? stored.profile : profileOf(profile, profiles),
      });
      await ownAddress(
        tx.query(
          `update controller set name = $2, description = $3, type = $4, cluster_id = $5, driver = $6, address = $7
           where id = $1`,
          [id, name, body.description ?? stored.description, type, farm, driver, address],
        ),
      );
      await writeChannels(tx, { id, accountId, type }, plans);
      if (type !== stored.type) await mustTakeItsSensors(tx, { id, accountId, type });
    });
  });
  await deviceIndex.reload(id);
  // Permissions on the broker are set when the device connects.
  if (serial !== before || isOther) broker.endSession(before);
  ingest.outputs.changed(accountId, "controller", id);
}

/** Delete a controller with its channels, settings and log, close its valves and end its connection. */
export async function removeController(
  { database, deviceIndex, ingest, broker, delivery }: Deps,
  device: KnownDevice,
  auditRecorder: AuditRecorder,
): Promise<void> {
  const { id, serial, accountId, channels } = device;
  await delivery.silence(
    device,
    channels.map(({ number }) => number),
  );
  await database.transaction((tx) => auditRecorder(tx, () => deleteDevice(tx, id)));
  await deviceIndex.reload(id);
  broker.endSession(serial);
  ingest.outputs.changed(accountId, "controller", id);
}
