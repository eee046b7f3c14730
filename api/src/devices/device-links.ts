import type { Database } from "../database/database.ts";

/** Known connection state of a device. */
export interface DeviceLine {
  /** Its last status message or last will; null where there is none. */
  readonly online: boolean | null;
  /** Number of that message in the order of arrival (ORD-1). */
  readonly saidArrival: number | null;
  /** Number of its last live state report. */
  readonly receivedArrival: number | null;
}

/** `lost`: the last will is newer than the last message. */
export type Link = "up" | "lost";

const UNKNOWN: DeviceLine = { online: null, saidArrival: null, receivedArrival: null };

export function linkOf({ online, saidArrival, receivedArrival }: DeviceLine): Link {
  if (online !== false || saidArrival === null) return "up";
  return receivedArrival === null || saidArrival >= receivedArrival ? "lost" : "up";
}

/** Knowledge of the way to a channel. */
export interface ChannelLink {
  readonly link: Link;
  /** True until the channel has reported again after its device's connection was lost (LINK-3). */
  readonly isBeforeLoss: boolean;
}

/** Connection states of all devices, in memory and in the database. */
export interface DeviceLinks {
  of(deviceId: string): DeviceLine;
  ofChannel(deviceId: string, number: number): ChannelLink;
  /** Record that the connections of all devices have ended, as with the embedded broker. */
  lostAll(): void;
  load(): Promise<void>;
  /** Store a status message. @returns true where the link changed */
  reported(deviceId: string, online: boolean, at: number, arrival: number): Promise<boolean>;
  /**
   * Record live state reports of some channels, which are stored elsewhere.
   *
   * @param arrival number of the last one
   * @returns true where the link changed
   */
  received(deviceId: string, numbers: readonly number[], arrival: number): boolean;
}

interface LineRow {
  device_id: string;
  online: boolean | null;
  said_arrival: number | null;
  received_arrival: number | null;
}

export function createDeviceLinks(database: Pick<Database, "query">): DeviceLinks {
  const lines = new Map<string, DeviceLine>();
  /** The channels that have reported since their device's connection was last lost; bounded by the registered devices. */
  const reportedSince = new Map<string, Set<number>>();
  let areAllLost = false;
  const of = (deviceId: string): DeviceLine => lines.get(deviceId) ?? UNKNOWN;
  const put = (deviceId: string, line: DeviceLine): boolean => {
    const flipped = linkOf(of(deviceId)) !== linkOf(line);
    lines.set(deviceId, line);
    return flipped;
  };

  return {
    of,
    ofChannel(deviceId, number) {
      const reported = reportedSince.get(deviceId);
      const isBeforeLoss = reported ? !reported.has(number) : areAllLost;
      return { link: linkOf(of(deviceId)), isBeforeLoss };
    },
    lostAll() {
      areAllLost = true;
      reportedSince.clear();
    },
    async load() {
      const rows = await database.query<LineRow>(
        "select device_id, online, said_arrival, received_arrival from device_link",
      );
      for (const { device_id, online, said_arrival, received_arrival } of rows) {
        lines.set(device_id, { online, saidArrival: said_arrival, receivedArrival: received_arrival });
      }
    },
    async reported(deviceId, online, at, arrival) {
      const before = of(deviceId);
      // The same status again is a retained message: its time is the first one's. But a device that sent a
      // message after its last will, and disconnected without reporting that it was back, is lost again.
      if (before.online === online && (online || linkOf(before) === "lost")) return false;
      if (!online) reportedSince.set(deviceId, new Set());
      await database.query(
        `insert into device_link (device_id, online, said_at, said_arrival) select id, $2, $3, $4
         from device where id = $1 on conflict (device_id) do update
         set online = excluded.online, said_at = excluded.said_at, said_arrival = excluded.said_arrival`,
        [deviceId, online, new Date(at), arrival],
        "urgent",
      );
      return put(deviceId, { ...of(deviceId), online, saidArrival: arrival });
    },
    received(deviceId, numbers, arrival) {
      const reported = reportedSince.get(deviceId) ?? (areAllLost ? new Set<number>() : null);
      if (reported) reportedSince.set(deviceId, new Set([...reported, ...numbers]));
      return put(deviceId, { ...of(deviceId), receivedArrival: arrival });
    },
  };
}
