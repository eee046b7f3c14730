import { fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import { adminSensorDelete, adminUserDelete, adminUserUpdate } from "@mulkko/shared/rest/operations/admin";
import { type Operation, pathTo } from "@mulkko/shared/rest/operations/operation";
import { OPERATIONS } from "@mulkko/shared/rest/operations/table";
import { DESPITE_OPEN_VALVE } from "@mulkko/shared/rest/routes";
import { systemClock, systemTimers } from "@mulkko/shared/rules/clock";
import { buildChannelValue } from "@mulkko/shared/testing/builders";
import Fastify from "fastify";
import { beforeEach, describe, expect, it, test } from "vitest";
import { createFakeFarm, type FakeFarm } from "../../testing/fake-farm.ts";
import { errorsPlugin } from "../http/errors.ts";
import { farmCallPlugin } from "../http/farm-call.ts";
import { NoAccessError } from "../upstream/errors.ts";
import { createCloseFirst } from "./close-first.ts";
import type { CommandRequest, CommandService } from "./commands.ts";

const OWNER = "owner";
/** A device of the account, and the id that stands for every parameter of a path. */
const DEVICE = "41";
const CHANNEL = `channel:${DEVICE}`;
const refuse = (): Promise<never> => Promise.reject(new Error("not used by this call"));
const openValve = { controllerId: DEVICE, onoff: 1, endsBy: "relay" } as const;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly token?: string;
  readonly headers?: Record<string, string>;
  readonly body?: object;
  /** False: the relay has no session of another account. */
  readonly hasSession?: boolean;
}

/** Send a call through the check, as the proxy does before it passes the call on. @returns its status */
async function send(farm: FakeFarm, given: CommandRequest[], sent: Sent): Promise<number> {
  const { method, path, token = "admin-token", headers = {}, body, hasSession = true } = sent;
  const service: CommandService = {
    command: async (request) => {
      given.push(request);
      farm.account(OWNER).change({ [CHANNEL]: { ...buildChannelValue({ ...openValve, onoff: 2 }) } });
      return { ok: false, status: 503, code: "upstream-down", message: "the answer is not read here" };
    },
    withdraw: refuse,
    closeAll: refuse,
    commands: refuse,
    waterings: refuse,
  };
  const closeFirst = createCloseFirst({
    owners: {
      ...farm.owners,
      service: async () => service,
      ...(!hasSession && {
        ownToken: () => Promise.reject(new NoAccessError("the relay has no session of this account")),
      }),
    },
    watch: { request: async () => ({ by: "nobody", ended: null, mayStart: false }) },
    prover: farm.prover,
    capabilities: { has: () => false },
    clock: systemClock,
    timers: systemTimers,
  });
  const server = Fastify();
  await server.register(errorsPlugin);
  await server.register(farmCallPlugin, { imagePrefixes: [] });
  server.decorateRequest("bodyHead", null);
  server.addHook("preHandler", async (request) => {
    request.bodyHead = body ? { contentType: "application/json", text: JSON.stringify(body) } : null;
    await closeFirst.before(request);
  });
  server.all("/*", async () => ({}));
  const answer = await server.inject({
    // The server knows no other methods than these.
    method: method === "POST" || method === "PUT" || method === "DELETE" ? method : "GET",
    url: path,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body && { payload: body }),
  });
  await server.close();
  return answer.statusCode;
}

/** Open water at the account whose devices a call concerns, and let an administrator see the device. */
function openFarm(): FakeFarm {
  const farm = createFakeFarm(systemClock);
  farm.grant("admin-token", "boss", undefined, "ADMIN");
  farm.grant("owner-token", OWNER);
  farm.fleet.change({ [fleetDeviceKey("sensor", DEVICE)]: { id: DEVICE, kind: "sensor", account: OWNER } });
  farm.account(OWNER).change({ [CHANNEL]: { ...buildChannelValue(openValve) } });
  return farm;
}

/** Return the path of a row: the account's id where it means an account, else the device's. */
const pathFor = ({ path, ends, changesAccount }: Operation): string =>
  path.replaceAll(/:\w+/g, (ends ?? changesAccount) ? OWNER : DEVICE);

const calls = OPERATIONS.flatMap((operation) => operation.methods.map((method) => ({ operation, method })));
const takesAway = ({ removes, ends }: Operation): boolean =>
  removes !== undefined || (ends !== undefined && ends.what !== "change");

describe("calls that take away the means to close", () => {
  test.each(
    calls
      .filter(({ operation }) => takesAway(operation))
      .map((call) => [call.method, call.operation.path, call]),
  )("[CMD-15] %s %s closes the open valve first", async (method, _path, { operation }) => {
    const farm = openFarm();
    const given: CommandRequest[] = [];
    const isAdministrators = operation.path.startsWith("/api/v1/admin/");
    const token = isAdministrators ? "admin-token" : "owner-token";
    expect(await send(farm, given, { method, path: pathFor(operation), token })).toBe(200);
    expect(given).toMatchObject([
      {
        controllerId: DEVICE,
        target: 2,
        token: isAdministrators ? `own session of ${OWNER}` : "owner-token",
      },
    ]);
    expect([farm.account(OWNER).viewers, farm.fleet.viewers]).toEqual([0, 0]);
  });

  it("[CMD-15] no other call closes a valve, by any method", async () => {
    const farm = openFarm();
    const given: CommandRequest[] = [];
    for (const { operation, method } of calls.filter((call) => !takesAway(call.operation))) {
      await send(farm, given, { method, path: pathFor(operation) });
      await send(farm, given, { method, path: pathFor(operation), token: "owner-token" });
    }
    expect(given).toEqual([]);
  });

  it("[CMD-15] a change of an account closes first if it disables the account", async () => {
    const farm = openFarm();
    const given: CommandRequest[] = [];
    const path = pathTo(adminUserUpdate, { id: OWNER });
    for (const body of [{ nickname: "x" }, { disabled: false }]) {
      await send(farm, given, { method: "PUT", path, body });
    }
    expect(given).toEqual([]);
    for (const call of [
      { path, body: { disabled: true } },
      { path: `${path}?disabled=true`, body: { nickname: "x" } },
      { path, body: { nickname: "x".repeat(40_000), disabled: true } },
      { path: `/api/v1/admin/user/disable/${OWNER}` },
      { path: `/api/v1/admin/user/${OWNER}/disable` },
      { path: `/api/v1/admin/users/${OWNER}/access/end` },
      { path: `/api/v1/admin/sensor/${DEVICE}/remove/now` },
      { path: `/api/v1/admin/sensor/remove/all/${DEVICE}.json` },
      { path: "/api/account/deactivate", token: "owner-token" },
    ]) {
      const closed: CommandRequest[] = [];
      await send(openFarm(), closed, { method: "POST", ...call });
      expect([call.path, closed.length]).toEqual([call.path, 1]);
    }
  });

  it("[CMD-15] an administrator's deletion of a sensor without valves closes none", async () => {
    for (const path of [pathTo(adminSensorDelete, { id: 77 }), "/api/v1/admin/sensor/77/now"]) {
      const farm = openFarm();
      const given: CommandRequest[] = [];
      farm.fleet.change({ [fleetDeviceKey("sensor", 77)]: { id: "77", kind: "sensor", account: OWNER } });
      expect(await send(farm, given, { method: "DELETE", path })).toBe(200);
      expect(given).toEqual([]);
    }
  });

  it("[CMD-15] an id in another spelling still closes its valve", async () => {
    for (const id of ["41.json", "%2041"]) {
      const farm = openFarm();
      const given: CommandRequest[] = [];
      const path = `/api/v1/controller/${id}`;
      const status = await send(farm, given, { method: "DELETE", path, token: "owner-token" });
      expect([id, status === 404 || given.length > 0]).toEqual([id, true]);
    }
  });

  it("[CMD-15] an account or a sensor of another account in another spelling closes first as well", async () => {
    for (const [row, ids] of [
      [adminUserDelete, [OWNER, "OWNER", "Owner", "%4Fwner"]],
      [adminSensorDelete, [DEVICE, "041", "%2041"]],
    ] as const) {
      for (const id of ids) {
        const farm = openFarm();
        const given: CommandRequest[] = [];
        const path = row.path.replace(":id", id);
        const status = await send(farm, given, { method: "DELETE", path });
        expect([id, status === 404 || given.length > 0]).toEqual([id, true]);
      }
    }
  });

  it("[CMD-15] of accounts whose ids look alike, the one that is named is closed", async () => {
    const farm = openFarm();
    const given: CommandRequest[] = [];
    const key = fleetDeviceKey("sensor", DEVICE);
    // The other one comes first in the fleet.
    farm.fleet.change({ "device:1": { id: "1", kind: "sensor", account: "OWNER.2" } }, [key]);
    farm.fleet.change({ [key]: { id: DEVICE, kind: "sensor", account: OWNER } });
    await send(farm, given, { method: "DELETE", path: pathTo(adminUserDelete, { id: OWNER }) });
    expect(given).toMatchObject([{ token: `own session of ${OWNER}` }]);
  });

  it("[CMD-15] an unknown deletion that names no known device closes all valves of the account", async () => {
    const farm = openFarm();
    const given: CommandRequest[] = [];
    await send(farm, given, { method: "DELETE", path: "/api/v1/sensor/9", token: "owner-token" });
    expect(given).toHaveLength(1);
  });
});

describe("an administrator deletes a COT sensor of another account", () => {
  const call = { method: "DELETE", path: pathTo(adminSensorDelete, { id: DEVICE }) } as const;
  let farm: FakeFarm;
  let given: CommandRequest[];
  beforeEach(() => {
    farm = openFarm();
    given = [];
  });

  it("[CMD-15] is refused while the valve is open and the relay has no session of that account", async () => {
    expect(await send(farm, given, { ...call, hasSession: false })).toBe(409);
    expect(given).toEqual([]);
    const headers = { [DESPITE_OPEN_VALVE]: "1" };
    expect(await send(farm, given, { ...call, hasSession: false, headers })).toBe(200);
  });

  it("[CMD-15] closes nothing for a closed valve, a sensor that the fleet does not know, or a farmer", async () => {
    farm.account(OWNER).change({ [CHANNEL]: { ...buildChannelValue({ ...openValve, onoff: 2 }) } });
    expect(await send(farm, given, { ...call, hasSession: false })).toBe(200);
    farm.account(OWNER).change({ [CHANNEL]: { ...buildChannelValue(openValve) } });
    farm.fleet.change({}, [fleetDeviceKey("sensor", DEVICE)]);
    expect(await send(farm, given, { ...call, hasSession: false })).toBe(200);
    farm.grant("admin-token", "boss");
    expect(await send(farm, given, { ...call, hasSession: false })).toBe(200);
    expect(given).toEqual([]);
  });
});
