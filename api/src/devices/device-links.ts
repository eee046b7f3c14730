import type { Database } from "../database/database.ts";

/** Known connection state of a device. Times are ms since 1970 UTC. */
export interface DeviceLine {
  /** Its last status message or last will; null where there is none. */
  readonly online: boolean | null;
  readonly saidAt: number | null;
  /** Its last state report. */
  readonly heardAt: number | null;
}

/** `lost`: the last will is newer than the last message. */
export type Link = "up" | "lost";

const UNKNOWN: DeviceLine = { online: null, saidAt: null, heardAt: null };

export function linkOf({ online, saidAt, heardAt }: DeviceLine): Link {
  if (online !== false || saidAt === null) return "up";
  return heardAt === null || saidAt >= heardAt ? "lost" : "up";
}

/** Connection states of all devices, in memory and in the database. */
export interface DeviceLinks {
  of(deviceId: string): DeviceLine;
  load(): Promise<void>;
  /** Store a status message. @returns true where the link changed */
  reported(deviceId: string, online: boolean, at: number): Promise<boolean>;
  /** Record a state report, which is stored elsewhere. @returns true where the link changed */
  received(deviceId: string, at: number): boolean;
}

interface LineRow {
  device_id: string;
  online: boolean | null;
  said_at: number | null;
  heard_at: number | null;
}

export function createDeviceLinks(database: Database): DeviceLinks {
  const lines = new Map<string, DeviceLine>();
  const of = (deviceId: string): DeviceLine => lines.get(deviceId) ?? UNKNOWN;
  const put = (deviceId: string, line: DeviceLine): boolean => {
    const flipped = linkOf(of(deviceId)) !== linkOf(line);
    lines.set(deviceId, line);
    return flipped;
  };

  return {
    of,
    async load() {
      const rows = await database.query<LineRow>(
        "select device_id, online, said_at, heard_at from device_link",
      );
      for (const { device_id, online, said_at, heard_at } of rows) {
        lines.set(device_id, { online, saidAt: said_at, heardAt: heard_at });
      }
    },
    async reported(deviceId, online, at) {
      const before = of(deviceId);
      // The same status again is a retained message: its time is the first one's. But a device that sent a
      // message after its last will, and disconnected without reporting that it was back, is lost again.
      if (before.online === online && (online || linkOf(before) === "lost")) return false;
      await database.query(
        `insert into device_link (device_id, online, said_at) select id, $2, $3 from device where id = $1
         on conflict (device_id) do update set online = excluded.online, said_at = excluded.said_at`,
        [deviceId, online, new Date(at)],
        "urgent",
      );
      return put(deviceId, { ...of(deviceId), online, saidAt: at });
    },
    received: (deviceId, at) => put(deviceId, { ...of(deviceId), heardAt: at }),
  };
}
