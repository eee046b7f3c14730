import type { Queryable } from "../database/database.ts";

/** A channel as the ingest and the broker know it. */
export interface KnownChannel {
  readonly number: number;
  /** What stands for it in output topics: the channel's id, or `{sensorId}:{number}` of a COT sensor. */
  readonly key: string;
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
  readonly channels: readonly KnownChannel[];
}

/** All devices in memory, so that no message waits for a lookup. */
export interface DeviceDirectory {
  bySerial(serial: number): KnownDevice | undefined;
  byId(id: string): KnownDevice | undefined;
  /** Reads all devices again; to be called after any write to them. */
  reload(): Promise<void>;
}

interface DeviceRow {
  id: string;
  serial: number;
  kind: "sensor" | "controller";
  account_id: string;
  type: string;
  key_hash: Uint8Array;
  ch_nums: number;
}

const DEVICES = `
  select device.id, serial, kind, account_id, key_hash,
         coalesce(sensor.device_type, controller.type) as type, coalesce(sensor.ch_nums, 0) as ch_nums
  from device left join sensor using (id) left join controller using (id)
  where sensor.id is not null or controller.id is not null`;

export function createDeviceDirectory(database: Queryable): DeviceDirectory {
  let bySerial = new Map<number, KnownDevice>();
  let byId = new Map<string, KnownDevice>();

  return {
    bySerial: (serial) => bySerial.get(serial),
    byId: (id) => byId.get(id),
    async reload() {
      const rows = await database.query<DeviceRow>(DEVICES);
      const channels = await database.query<{ id: number; controller_id: string; number: number }>(
        "select id, controller_id, number from channel order by number",
      );
      const ofController = Map.groupBy(channels, (channel) => channel.controller_id);
      const channelsOf = (row: DeviceRow): KnownChannel[] => {
        if (row.kind === "controller") {
          return (ofController.get(row.id) ?? []).map(({ id, number }) => ({ number, key: String(id) }));
        }
        return Array.from({ length: row.ch_nums }, (_, index) => ({
          number: index + 1,
          key: `${row.id}:${index + 1}`,
        }));
      };
      const devices = rows.map(
        (row): KnownDevice => ({
          id: row.id,
          serial: row.serial,
          kind: row.kind,
          accountId: row.account_id,
          type: row.type,
          keyHash: row.key_hash,
          channels: channelsOf(row),
        }),
      );
      bySerial = new Map(devices.map((device) => [device.serial, device]));
      byId = new Map(devices.map((device) => [device.id, device]));
    },
  };
}
