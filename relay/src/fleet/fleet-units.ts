import { LogEntry } from "@mulkko/shared/entities/log-entry";
import { MAX_PAGE_SIZE } from "@mulkko/shared/rest/paging";
import { apiPath } from "@mulkko/shared/rest/routes";
import { FleetDevice } from "@mulkko/shared/rest/sensor";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { Nullable } from "@mulkko/shared/schema/nullable";
import Type from "typebox";
import type { CapabilitySource } from "../ports/upstream.ts";
import type { PollUnit } from "../sources/poll-units.ts";
import type { UpstreamError } from "../upstream/errors.ts";
import type { PolledReader } from "../upstream/polled-reader.ts";
import {
  AdminSensorRow,
  type ListedDevice,
  listedDevice,
  listedSensor,
  type Sign,
  signOf,
} from "./listed-device.ts";

/** The unit that lists the fleet. */
export const FLEET_LIST = "fleet";

/** Pages that are read at most. */
const PAGES_AT_MOST = 500;
/** Bytes of the largest list that is read whole. */
const LIST_BYTES = 64 * 1024 * 1024;

const Page = Type.Object({ content: Type.Array(Type.Unknown()), totalElements: Type.Integer() });

export interface FleetListParts {
  readonly reader: PolledReader;
  readonly capabilities: Pick<CapabilitySource, "has">;
  readonly zone: ApiTimeZone;
  /** ms between two requests; null: nobody looks. */
  readonly interval: () => number | null;
  /** Takes the rows of a page, and how many there are in all. */
  readonly onRows: (rows: readonly ListedDevice[], total: number) => void;
  /** All pages were read; these keys were on them. */
  readonly onListed: (keys: ReadonlySet<string>) => void;
  readonly onFailed: (error: UpstreamError) => void;
}

/** All devices of all accounts: page by page where the API has that, else its sensors alone (POLL-1). */
export function fleetListUnit(parts: FleetListParts): PollUnit {
  const { reader, zone } = parts;
  const take = (rows: readonly ListedDevice[], keys: Set<string>, total = rows.length): void => {
    for (const { key } of rows) keys.add(key);
    parts.onRows(rows, total);
  };
  const askPages = async (asking: { urgent: boolean }): Promise<Set<string>> => {
    const keys = new Set<string>();
    let read = 0;
    for (let page = 1; page <= PAGES_AT_MOST; page += 1) {
      // By the serial, which nobody changes while the pages are turned.
      const query = { page: String(page), size: String(MAX_PAGE_SIZE), sort: "serial" };
      const answer = await reader.get(FLEET_LIST, apiPath.adminDevices, Page, { ...asking, query });
      const rows = reader.rowsOf(FLEET_LIST, FleetDevice, answer.content);
      take(
        rows.map((row) => listedDevice(row, zone)),
        keys,
        answer.totalElements,
      );
      read += answer.content.length;
      if (answer.content.length === 0 || read >= answer.totalElements) break;
    }
    return keys;
  };
  const askSensors = async (asking: { urgent: boolean }): Promise<Set<string>> => {
    const keys = new Set<string>();
    const how = { ...asking, limitBytes: LIST_BYTES };
    const rows = await reader.list(FLEET_LIST, apiPath.adminSensors, AdminSensorRow, how);
    take(
      rows.map((row) => listedSensor(row, zone)),
      keys,
    );
    return keys;
  };
  return {
    name: FLEET_LIST,
    interval: parts.interval,
    stretches: () => true,
    urgent: () => false,
    async ask(asking) {
      const isBulk = parts.capabilities.has("admin-fleet");
      parts.onListed(await (isBulk ? askPages(asking) : askSensors(asking)));
    },
    failed: parts.onFailed,
  };
}

/** The newest log of one sensor, where the list has none (POLL-1). */
export function fleetLatestUnit(
  device: ListedDevice,
  parts: {
    readonly reader: PolledReader;
    readonly zone: ApiTimeZone;
    readonly interval: () => number | null;
    readonly onSign: (sign: Sign | null) => void;
  },
): PollUnit {
  return {
    name: latestUnitName(device.key),
    interval: parts.interval,
    stretches: () => true,
    urgent: () => false,
    async ask(asking) {
      const path = apiPath.latest(device.id);
      const entry = await parts.reader.get("fleet-latest", path, Nullable(LogEntry), asking);
      parts.onSign(entry && signOf("sensor", device.deviceType ?? "", entry, parts.zone));
    },
  };
}

export const latestUnitName = (key: string): string => `latest:${key}`;
