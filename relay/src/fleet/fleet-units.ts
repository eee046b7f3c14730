import { LogEntry } from "@mulkko/shared/entities/log-entry";
import { MAX_PAGE_SIZE } from "@mulkko/shared/rest/paging";
import { apiPath } from "@mulkko/shared/rest/routes";
import { FleetDevice } from "@mulkko/shared/rest/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { Nullable } from "@mulkko/shared/schema/nullable";
import Type from "typebox";
import type { PollUnit } from "../account/polling/poll-units.ts";
import type { UpstreamError } from "../upstream/errors.ts";
import type { PolledReader } from "../upstream/polled-reader.ts";
import type { CapabilitySource } from "../upstream/upstream.ts";
import {
  AdminSensorRow,
  type LastSeen,
  type ListedDevice,
  lastSeenOf,
  listedDevice,
  listedSensor,
} from "./listed-device.ts";

/** Name of the unit that lists the fleet. */
export const FLEET_LIST = "fleet";

/** Most pages that are read. */
const PAGES_AT_MOST = 500;
/** Size limit in bytes for a list that is read in one piece. */
const LIST_BYTES = 64 * 1024 * 1024;

const Page = Type.Object({ content: Type.Array(FleetDevice), totalElements: Type.Integer() });
const Sensors = Nullable(Type.Array(AdminSensorRow));

export interface FleetListDeps {
  readonly reader: PolledReader;
  readonly capabilities: Pick<CapabilitySource, "has">;
  readonly zone: ApiTimeZone;
  /** ms between two requests; null without a viewer. */
  readonly interval: () => number | null;
  /** Receives the rows of a page, and the total number. */
  readonly onRows: (rows: readonly ListedDevice[], total: number) => void;
  /** Called with the keys of all pages once all were read. */
  readonly onListed: (keys: ReadonlySet<string>) => void;
  readonly onFailed: (error: UpstreamError) => void;
}

/**
 * Create the unit that lists all devices of all accounts: page by page where the API supports it, else only
 * its sensors (POLL-1).
 */
export function fleetListUnit(deps: FleetListDeps): PollUnit {
  const { reader, zone } = deps;
  const collect = (rows: readonly ListedDevice[], keys: Set<string>, total = rows.length): void => {
    for (const { key } of rows) keys.add(key);
    deps.onRows(rows, total);
  };
  const askPages = async (asking: { urgent: boolean }): Promise<Set<string>> => {
    const keys = new Set<string>();
    for (let page = 1; page <= PAGES_AT_MOST; page += 1) {
      // Sorted by the serial, which does not change while the pages are read.
      const query = { page: String(page), size: String(MAX_PAGE_SIZE), sort: "serial" };
      const answer = await reader.get(FLEET_LIST, apiPath.adminDevices, Page, { ...asking, query });
      collect(
        answer.content.map((row) => listedDevice(row, zone)),
        keys,
        answer.totalElements,
      );
      // Compare with the total, not the rows read: the total includes rows that were left out.
      if (answer.content.length === 0 || page * MAX_PAGE_SIZE >= answer.totalElements) break;
    }
    return keys;
  };
  const askSensors = async (asking: { urgent: boolean }): Promise<Set<string>> => {
    const keys = new Set<string>();
    const how = { ...asking, limitBytes: LIST_BYTES };
    const rows = (await reader.get(FLEET_LIST, apiPath.adminSensors, Sensors, how)) ?? [];
    collect(
      rows.map((row) => listedSensor(row, zone)),
      keys,
    );
    return keys;
  };
  return {
    name: FLEET_LIST,
    interval: deps.interval,
    stretches: () => true,
    urgent: () => false,
    async ask(asking) {
      const isBulk = deps.capabilities.has("admin-fleet");
      deps.onListed(await (isBulk ? askPages(asking) : askSensors(asking)));
    },
    failed: deps.onFailed,
  };
}

/** Create the unit that reads the newest log of one sensor, where the list has none (POLL-1). */
export function fleetLatestUnit(
  device: ListedDevice,
  deps: {
    readonly reader: PolledReader;
    readonly zone: ApiTimeZone;
    readonly interval: () => number | null;
    readonly onLastSeen: (lastSeen: LastSeen | null) => void;
    readonly onFailed: (error: UpstreamError) => void;
  },
): PollUnit {
  return {
    name: latestUnitName(device.key),
    interval: deps.interval,
    stretches: () => true,
    urgent: () => false,
    async ask(asking) {
      const path = apiPath.latest(device.id);
      const entry = await deps.reader.get("fleet-latest", path, Nullable(LogEntry), asking);
      deps.onLastSeen(entry && lastSeenOf("sensor", entry, deps.zone));
    },
    failed: deps.onFailed,
  };
}

export const latestUnitName = (key: string): string => `latest:${key}`;
