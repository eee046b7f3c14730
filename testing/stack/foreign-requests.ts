import { adminDevices, adminUser, adminUsers } from "@mulkko/shared/rest/operations/admin";
import {
  channelMoisture,
  channelState,
  controllerCommand,
  controllerRead,
  sensorCommand,
} from "@mulkko/shared/rest/operations/controllers";
import { clusterDelete, clusterUpdate } from "@mulkko/shared/rest/operations/farms";
import {
  cotLog,
  latestOfMany,
  latestReceived,
  latestStored,
  logRange,
} from "@mulkko/shared/rest/operations/logs";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { sensorDelete, sensorRead, sensorUpdate } from "@mulkko/shared/rest/operations/sensors";
import { relayPath } from "@mulkko/shared/rest/routes";
import fc from "fast-check";

/** Ids and names of an account that another account may put into its requests. */
export interface Names {
  readonly sensors: readonly string[];
  readonly controllers: readonly string[];
  readonly serials: readonly string[];
  readonly channels: readonly string[];
  readonly farms: readonly string[];
  readonly alarms: readonly string[];
  readonly commands: readonly string[];
  readonly accountId: string;
}

/** One call over REST. */
export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const NEVER_WAS = "00000000-0000-4000-8000-00000000dead";
const one = (names: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...(names.length > 0 ? names : [NEVER_WAS])) },
    fc.constantFrom(NEVER_WAS, "0", "-1", "..", "all", "*", "%00", "__proto__", "1 or 1=1"),
  );
const get = (path: fc.Arbitrary<string>): fc.Arbitrary<Request> =>
  path.map((each) => ({ method: "GET", path: each }));
const e = encodeURIComponent;

/**
 * Return requests that read, change or command the other account's things, at every route of the relay and
 * those of the farm API with an id.
 */
export function foreignRequests(names: Names): fc.Arbitrary<Request> {
  const { sensors, controllers, serials, channels, farms, alarms, commands, accountId } = names;
  const number = fc.integer({ min: 0, max: 9 });
  const range = { from: new Date(Date.now() - 6 * 3_600_000).toISOString(), to: new Date().toISOString() };
  const query = (path: string, fields: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<Request> =>
    fc.record(fields, { requiredKeys: [] }).map((asked) => {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(asked)) if (value !== undefined) search.set(name, value);
      return { method: "GET", path: `${path}?${search}` };
    });
  const list = (of: readonly string[]): fc.Arbitrary<string> =>
    fc.array(one(of), { minLength: 1, maxLength: 4 }).map((ids) => ids.join(","));
  const places = fc.tuple(one([...sensors, ...controllers]), number).map(([id, n]) => `${id}:${n}`);
  const write = (
    method: Request["method"],
    path: fc.Arbitrary<string>,
    body: fc.Arbitrary<unknown>,
  ): fc.Arbitrary<Request> => fc.record({ method: fc.constant(method), path, body });
  const command = fc.record({
    uuid: one(controllers),
    command: fc.constantFrom("onoff", "rssi", "fwversion", "reservation", "trigger", "period"),
    deviceType: fc.constantFrom("controller", "sensor"),
    channel: fc.integer({ min: 1, max: 8 }),
    payload: fc.constantFrom<number | string>(1, 2, "1", "2", 0),
  });
  const commandId = fc.oneof(one(commands), fc.uuid());
  return fc.oneof(
    get(
      fc
        .tuple(list(sensors), one(sensors))
        .map(([ids]) => `${relayPath.history}?${new URLSearchParams({ ...range, ids })}`),
    ),
    get(places.map((place) => `${relayPath.history}?${new URLSearchParams({ ...range, channels: place })}`)),
    query(relayPath.commands, { farm: one(farms), channel: one(channels), ...constant(range) }),
    query(relayPath.waterings, {
      farm: one(farms),
      channel: one(channels),
      controller: one(controllers),
      sensor: one(sensors),
    }),
    query(relayPath.wateringPreview, { farm: one(farms) }),
    query(relayPath.alarms, {
      past: fc.constantFrom("true", "false"),
      as: fc.constant(accountId),
      userId: fc.constant(accountId),
    }),
    query(relayPath.settings, { as: fc.constant(accountId) }),
    query(relayPath.watch, { userId: fc.constant(accountId) }),
    query(relayPath.weather, { farm: one(farms) }),
    write("POST", one(alarms).map(relayPath.acknowledgeAlarm), fc.constant({ comment: "mine now" })),
    write("POST", one(alarms).map(relayPath.snoozeAlarm), fc.constant({ until: range.to, reason: "mine" })),
    write("DELETE", one(alarms).map(relayPath.snoozeAlarm), fc.constant(undefined)),
    write("POST", one(alarms).map(relayPath.closeIn), fc.constant({ minutes: 5 })),
    write("POST", one(farms).map(relayPath.closeAll), fc.constant({})),
    fc.tuple(one(controllers), one(sensors), one(channels)).map(
      ([controller, sensor, channel]): Request => ({
        method: "PUT",
        path: relayPath.settings,
        body: {
          adoptExternal: true,
          controllers: { [controller]: { capMinutes: 1 } },
          flowMeters: { [channel]: sensor },
        },
      }),
    ),
    fc
      .tuple(fc.constantFrom(controllerCommand.path, sensorCommand.path), command, commandId)
      .map(
        ([path, body, id]): Request => ({ method: "POST", path, body, headers: { "idempotency-key": id } }),
      ),
    get(
      fc.oneof(
        one(sensors).map((id) => pathTo(sensorRead, { id })),
        one(sensors).map((id) => pathTo(latestStored, { id })),
        one(sensors).map((id) => pathTo(latestReceived, { id })),
        one(sensors).map((id) =>
          pathTo(logRange, { id, start: "2026-01-01 00:00", end: "2027-01-01 00:00" }),
        ),
        fc
          .tuple(one(sensors), number)
          .map(([id, n]) => pathTo(cotLog, { id, channel: n, start: "2026-01-01", end: "2027-01-01" })),
        one(controllers).map((id) => pathTo(controllerRead, { id })),
        fc
          .tuple(one(serials), one(channels))
          .map(([serial, id]) => pathTo(channelState, { serial, channelId: id })),
        one(channels).map((channelId) => pathTo(channelMoisture, { channelId })),
        list(sensors).map((ids) => `${latestOfMany.path}?ids=${e(ids)}`),
        fc.constantFrom(adminUsers.path, adminDevices.path, pathTo(adminUser, { id: accountId })),
      ),
    ),
    write(
      "PUT",
      one(sensors).map((id) => pathTo(sensorUpdate, { id })),
      fc.constant({ name: "mine now" }),
    ),
    write(
      "PUT",
      one(farms).map((id) => pathTo(clusterUpdate, { id })),
      fc.constant({ name: "mine now" }),
    ),
    write(
      "DELETE",
      one(sensors).map((id) => pathTo(sensorDelete, { id })),
      fc.constant(undefined),
    ),
    write(
      "DELETE",
      one(farms).map((id) => pathTo(clusterDelete, { id })),
      fc.constant(undefined),
    ),
  );
}

function constant(fields: Readonly<Record<string, string>>): Record<string, fc.Arbitrary<string>> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fc.constant(value)]));
}
