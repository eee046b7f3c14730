import type { Queryable } from "../database/database.ts";

/** A channel, for ingest and broker. */
export interface KnownChannel {
  readonly number: number;
  /** Identifier in output topics: the channel's id, or `{sensorId}:{number}` of a COT sensor. */
  readonly key: string;
}

/** Valves that do not use the project's own topics. */
export interface KnownValves {
  readonly serial: number;
  readonly driver: Exclude<DriverName, "native">;
  /** Their address on the broker. */
  readonly address: string;
}

/** A device with a serial: a sensor or a controller. */
export interface KnownDevice {
  readonly id: string;
  readonly serial: number;
  readonly kind: "sensor" | "controller";
  readonly accountId: string;
  /** Device type of a sensor, controller type of a controller. */
  readonly type: string;
  /** SHA-256 of the device's key. */
  readonly keyHash: Uint8Array;
  /** Its identifier at a network server: a DevEUI or device id. */
  readonly externalId: string | null;
  /** The decoder of its messages; null: native. */
  readonly profile: string | null;
  readonly channels: readonly KnownChannel[];
  /** For a controller whose valves use a driver; null: the device uses the project's own topics. */
  readonly valves: KnownValves | null;
}

/** All devices in memory, so that no message waits for a lookup. */
export interface DeviceIndex {
  bySerial(serial: number): KnownDevice | undefined;
  byId(id: string): KnownDevice | undefined;
  /** Find by the network server's identifier, ignoring case. */
  byExternalId(externalId: string): KnownDevice | undefined;
  ofAccount(accountId: string): readonly KnownDevice[];
  all(): Iterable<KnownDevice>;
  /** True for a device of a deleted account that can be restored: unknown to all other methods, its state is kept. */
  inTrash(id: string): boolean;
  /** Return controllers whose valves use a driver: a new list after each {@link reload}. */
  withValves(): readonly KnownDevice[];
  /** Read all devices again, or the changed one; call it after every write to them. */
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
  in_trash: boolean;
  driver: DriverName | null;
  address: string | null;
}

const DEVICES = `
  select device.id, serial, kind, device.account_id, key_hash, external_id, profile,
         controller.driver, controller.address,
         coalesce(sensor.device_type, controller.type) as type, coalesce(sensor.ch_nums, 0) as ch_nums,
         account.deleted_at is not null as in_trash
  from device left join sensor using (id) left join controller using (id)
    join account on account.id = device.account_id
  where (sensor.id is not null or controller.id is not null) and ($1::uuid is null or device.id = $1)`;

const CHANNELS = `
  select id, controller_id, number from channel
  where $1::uuid is null or controller_id = $1 order by number`;

/** Read all devices, or the one with an id, and the ids of those in the trash. */
async function readDevices(
  database: Queryable,
  id: string | null,
): Promise<{ devices: KnownDevice[]; trashed: string[] }> {
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
  const trashed = rows.filter(({ in_trash }) => in_trash).map((row) => row.id);
  const present = rows.filter(({ in_trash }) => !in_trash);
  const devices = present.map((row) => ({
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
  return { devices, trashed };
}

const valvesOf = ({ serial, driver, address }: DeviceRow): KnownValves | null =>
  driver === null || driver === "native" || address === null ? null : { serial, driver, address };

export function createDeviceIndex(database: Queryable): DeviceIndex {
  const byId = new Map<string, KnownDevice>();
  const bySerial = new Map<number, KnownDevice>();
  const byExternalId = new Map<string, KnownDevice>();
  const inTrash = new Set<string>();
  const ofAccount = new Map<string, Map<string, KnownDevice>>();
  let withValves: readonly KnownDevice[] = [];
  let reading: Promise<void> = Promise.resolve();

  function drop(id: string): void {
    const device = byId.get(id);
    if (!device) return;
    byId.delete(id);
    // Another device may have taken the number or the name meanwhile.
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
    const { devices, trashed } = await readDevices(database, id);
    const gone = id === null ? [...byId.keys(), ...inTrash] : [id];
    for (const each of gone) {
      drop(each);
      inTrash.delete(each);
    }
    for (const each of trashed) inTrash.add(each);
    for (const device of devices) put(device);
    withValves = [...byId.values()].filter(({ valves }) => valves !== null);
  }

  return {
    bySerial: (serial) => bySerial.get(serial),
    byId: (id) => byId.get(id),
    ofAccount: (accountId) => [...(ofAccount.get(accountId)?.values() ?? [])],
    all: () => byId.values(),
    inTrash: (id) => inTrash.has(id),
    withValves: () => withValves,
    byExternalId: (externalId) => byExternalId.get(externalId.toLowerCase()),
    // In order: an older answer must not replace a newer one.
    reload(id) {
      const next = reading.then(() => read(id ?? null));
      reading = next.catch(() => undefined);
      return next;
    },
  };
}

/** Protocols of controllers' valves. */
export const DRIVER_NAMES = ["native", "shelly-gen2", "tasmota"] as const;

export type DriverName = (typeof DRIVER_NAMES)[number];
