import type { Queryable } from "../database/database.ts";
import type { DriverName } from "../valve-drivers/driver.ts";

/** A channel as the ingest and the broker know it. */
export interface KnownChannel {
  readonly number: number;
  /** What stands for it in output topics: the channel's id, or `{sensorId}:{number}` of a COT sensor. */
  readonly key: string;
}

/** Valves that do not speak the project's own topics. */
export interface KnownValves {
  readonly serial: number;
  readonly driver: Exclude<DriverName, "native">;
  /** What they are called on the broker. */
  readonly address: string;
}

/** Everything that has a serial. */
export interface KnownDevice {
  readonly id: string;
  readonly serial: number;
  readonly kind: "sensor" | "controller";
  readonly accountId: string;
  /** Device type of a sensor, controller type of a controller. */
  readonly type: string;
  /** SHA-256 of the device's key. */
  readonly keyHash: Uint8Array;
  /** What a network server calls it: a DevEUI or device id. */
  readonly externalId: string | null;
  /** The decoder of its messages; null: native. */
  readonly profile: string | null;
  readonly channels: readonly KnownChannel[];
  /** Of a controller whose valves a driver speaks for; null: the device speaks for itself. */
  readonly valves: KnownValves | null;
}

/** All devices in memory, so that no message waits for a lookup. */
export interface DeviceDirectory {
  bySerial(serial: number): KnownDevice | undefined;
  byId(id: string): KnownDevice | undefined;
  /** By the network server's name for it, without regard to case. */
  byExternalId(externalId: string): KnownDevice | undefined;
  ofAccount(accountId: string): readonly KnownDevice[];
  /** Controllers whose valves a driver speaks for: another list after each {@link reload}. */
  withValves(): readonly KnownDevice[];
  /** Reads all devices again, or the one that was written; to be called after any write to them. */
  reload(id?: string): Promise<void>;
}

interface DeviceRow {
  id: string;
  serial: number;
  kind: "sensor" | "controller";
  account_id: string;
  type: string;
  key_hash: Uint8Array;
  external_id: string | null;
  profile: string | null;
  ch_nums: number;
  driver: DriverName | null;
  address: string | null;
}

const DEVICES = `
  select device.id, serial, kind, device.account_id, key_hash, external_id, profile,
         controller.driver, controller.address,
         coalesce(sensor.device_type, controller.type) as type, coalesce(sensor.ch_nums, 0) as ch_nums
  from device left join sensor using (id) left join controller using (id)
    join account on account.id = device.account_id and account.deleted_at is null
  where (sensor.id is not null or controller.id is not null) and ($1::uuid is null or device.id = $1)`;

const CHANNELS = `
  select id, controller_id, number from channel
  where $1::uuid is null or controller_id = $1 order by number`;

/** Reads all devices, or the one of an id. */
async function readDevices(database: Queryable, id: string | null): Promise<KnownDevice[]> {
  const rows = await database.query<DeviceRow>(DEVICES, [id]);
  const channels = await database.query<{ id: number; controller_id: string; number: number }>(CHANNELS, [
    id,
  ]);
  const ofController = Map.groupBy(channels, (channel) => channel.controller_id);
  const channelsOf = (row: DeviceRow): KnownChannel[] => {
    if (row.kind === "controller") {
      return (ofController.get(row.id) ?? []).map((channel) => ({
        number: channel.number,
        key: String(channel.id),
      }));
    }
    return Array.from({ length: row.ch_nums }, (_, index) => ({
      number: index + 1,
      key: `${row.id}:${index + 1}`,
    }));
  };
  return rows.map((row) => ({
    id: row.id,
    serial: row.serial,
    kind: row.kind,
    accountId: row.account_id,
    type: row.type,
    keyHash: row.key_hash,
    externalId: row.external_id,
    profile: row.profile,
    channels: channelsOf(row),
    valves: valvesOf(row),
  }));
}

const valvesOf = ({ serial, driver, address }: DeviceRow): KnownValves | null =>
  driver === null || driver === "native" || address === null ? null : { serial, driver, address };

export function createDeviceDirectory(database: Queryable): DeviceDirectory {
  const byId = new Map<string, KnownDevice>();
  const bySerial = new Map<number, KnownDevice>();
  const byExternalId = new Map<string, KnownDevice>();
  const ofAccount = new Map<string, Map<string, KnownDevice>>();
  let withValves: readonly KnownDevice[] = [];
  let reading: Promise<void> = Promise.resolve();

  function drop(id: string): void {
    const device = byId.get(id);
    if (!device) return;
    byId.delete(id);
    // Another device may have taken over the number or the name meanwhile.
    if (bySerial.get(device.serial)?.id === id) bySerial.delete(device.serial);
    const externalId = device.externalId?.toLowerCase();
    if (externalId && byExternalId.get(externalId)?.id === id) byExternalId.delete(externalId);
    const own = ofAccount.get(device.accountId);
    own?.delete(id);
    if (own?.size === 0) ofAccount.delete(device.accountId);
  }

  function put(device: KnownDevice): void {
    byId.set(device.id, device);
    bySerial.set(device.serial, device);
    if (device.externalId) byExternalId.set(device.externalId.toLowerCase(), device);
    const own = ofAccount.get(device.accountId) ?? new Map<string, KnownDevice>();
    ofAccount.set(device.accountId, own.set(device.id, device));
  }

  async function read(id: string | null): Promise<void> {
    const devices = await readDevices(database, id);
    const gone = id === null ? [...byId.keys()] : [id];
    for (const each of gone) drop(each);
    for (const device of devices) put(device);
    withValves = [...byId.values()].filter(({ valves }) => valves !== null);
  }

  return {
    bySerial: (serial) => bySerial.get(serial),
    byId: (id) => byId.get(id),
    ofAccount: (accountId) => [...(ofAccount.get(accountId)?.values() ?? [])],
    withValves: () => withValves,
    byExternalId: (externalId) => byExternalId.get(externalId.toLowerCase()),
    // One after another: an older answer must not replace a newer one.
    reload(id) {
      const next = reading.then(() => read(id ?? null));
      reading = next.catch(() => undefined);
      return next;
    },
  };
}
