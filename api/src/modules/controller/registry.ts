import { randomUUID } from "node:crypto";
import { isControllerType } from "@mulkko/shared/catalogue/controller-types";
import type { ControllerAddBody, ControllerUpdateBody } from "@mulkko/shared/rest/controller";
import { hashSecret, newDeviceKey } from "../../devices/device-key.ts";
import type { KnownDevice } from "../../devices/directory.ts";
import { deleteDevice, insertDevice, profileOf, textOrNull, updateDevice } from "../../devices/enrol.ts";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { App } from "../../http/server.ts";
import { requiredText } from "../../http/text.ts";
import type { DriverName } from "../../valve-drivers/driver.ts";
import { driverOfBody, NATIVE, ownAddress } from "../../valve-drivers/enrol.ts";
import { farmOfAccount } from "../cluster/repository.ts";
import type { Witness } from "../device/witness.ts";
import { serialNumberOf } from "../sensor/rules.ts";
import { channelPlansOf, mustTakeItsSensors, writeChannels } from "./channels.ts";

type Parts = Pick<App, "database" | "directory" | "ingest" | "broker" | "delivery" | "profiles">;

function typeOf(type: string): string {
  const trimmed = type.trim();
  if (isControllerType(trimmed)) return trimmed;
  throw new ApiError(422, "validation", "this controller type is not known", { field: "type" });
}

/**
 * Registers a controller with its channels.
 *
 * @param now ms since 1970 UTC
 * @returns its id, and its key, which is not stored
 * @throws ApiError 422 for what breaks a rule, 409 for a serial or external id in use, 404 for another's sensor or farm
 */
export async function addController(
  { database, directory, ingest, profiles }: Parts,
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
  await database.transaction(async (tx) => {
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
  });
  await directory.reload(id);
  ingest.outputs.changed(accountId, "controller", id);
  return { id, deviceKey };
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
 * Changes a controller and the channels that the body lists; what the body leaves out stays as it was.
 *
 * @param witness goes around the change in its transaction
 * @throws ApiError as {@link addController}; 404 also for a controller that has gone meanwhile
 */
export async function changeController(
  { database, directory, ingest, broker, profiles }: Parts,
  { id, accountId, serial: before }: KnownDevice,
  body: ControllerUpdateBody,
  witness: Witness,
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
    await witness(tx, async () => {
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
  await directory.reload(id);
  // What it may say and hear on the broker is settled when it connects.
  if (serial !== before || isOther) broker.endSession(before);
  ingest.outputs.changed(accountId, "controller", id);
}

/** Deletes a controller with its channels, settings and log, closes its valves and ends its connection. */
export async function removeController(
  { database, directory, ingest, broker, delivery }: Parts,
  device: KnownDevice,
  witness: Witness,
): Promise<void> {
  const { id, serial, accountId, channels } = device;
  await delivery.silence(
    device,
    channels.map(({ number }) => number),
  );
  await database.transaction((tx) => witness(tx, () => deleteDevice(tx, id)));
  await directory.reload(id);
  broker.endSession(serial);
  ingest.outputs.changed(accountId, "controller", id);
}
