import { fleetDeviceKey } from "@mulkko/shared/live/fleet-keys";
import { adminSensorDelete } from "@mulkko/shared/rest/operations/admin";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { DESPITE_OPEN_VALVE } from "@mulkko/shared/rest/routes";
import { systemClock, systemTimers } from "@mulkko/shared/rules/clock";
import { buildChannelValue } from "@mulkko/shared/testing/builders";
import Fastify from "fastify";
import { beforeEach, describe, expect, it } from "vitest";
import { createFakeFarm, type FakeFarm } from "../../testing/fake-farm.ts";
import { RelayError } from "../http/relay-error.ts";
import { NoAccessError } from "../upstream/errors.ts";
import { createCloseFirst } from "./close-first.ts";
import type { CommandRequest, CommandService } from "./commands.ts";

const OWNER = "owner";
const COT = "cot-1";
const path = pathTo(adminSensorDelete, { id: COT });
const refuse = (): Promise<never> => Promise.reject(new Error("not used by a deletion"));

/** A call of `DELETE` through the hook, as the proxy registers it. */
async function remove(
  farm: FakeFarm,
  given: CommandRequest[],
  { headers = {}, hasSession = true }: { headers?: Record<string, string>; hasSession?: boolean } = {},
): Promise<number> {
  const service: CommandService = {
    command: async (request) => {
      given.push(request);
      farm.account(OWNER).change({ "channel:9": { ...buildChannelValue({ controllerId: COT, onoff: 2 }) } });
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
    watch: { request: refuse },
    prover: farm.prover,
    capabilities: { has: () => false },
    clock: systemClock,
    timers: systemTimers,
  });
  const server = Fastify();
  server.addHook("onRequest", (request) => closeFirst.before(request));
  server.delete(path, async () => ({}));
  server.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof RelayError ? error.status : 500).send({}),
  );
  const answer = await server.inject({
    method: "DELETE",
    url: path,
    headers: { authorization: "Bearer admin-token", ...headers },
  });
  await server.close();
  return answer.statusCode;
}

describe("an administrator deletes a COT sensor of another account", () => {
  let farm: FakeFarm;
  let given: CommandRequest[];
  beforeEach(() => {
    farm = createFakeFarm(systemClock);
    given = [];
    farm.grant("admin-token", "boss", undefined, "ADMIN");
    farm.fleet.change({ [fleetDeviceKey("sensor", COT)]: { id: COT, kind: "sensor", account: OWNER } });
    farm.account(OWNER).change({ "channel:9": { ...buildChannelValue({ controllerId: COT, onoff: 1 }) } });
  });

  it("[CMD-15] closes its open valve first, with the session of that account", async () => {
    expect(await remove(farm, given)).toBe(200);
    expect(given).toMatchObject([{ controllerId: COT, target: 2, token: `own session of ${OWNER}` }]);
    expect([farm.account(OWNER).viewers, farm.fleet.viewers]).toEqual([0, 0]);
  });

  it("[CMD-15] is refused while the valve is open and the relay has no session of that account", async () => {
    expect(await remove(farm, given, { hasSession: false })).toBe(409);
    expect(given).toEqual([]);
    expect(await remove(farm, given, { hasSession: false, headers: { [DESPITE_OPEN_VALVE]: "1" } })).toBe(
      200,
    );
  });

  it("[CMD-15] closes nothing for a closed valve, a sensor that the fleet does not know, or a farmer", async () => {
    farm.account(OWNER).change({ "channel:9": { ...buildChannelValue({ controllerId: COT, onoff: 2 }) } });
    expect(await remove(farm, given, { hasSession: false })).toBe(200);
    farm.account(OWNER).change({ "channel:9": { ...buildChannelValue({ controllerId: COT, onoff: 1 }) } });
    farm.fleet.change({}, [fleetDeviceKey("sensor", COT)]);
    expect(await remove(farm, given, { hasSession: false })).toBe(200);
    farm.grant("admin-token", "boss");
    expect(await remove(farm, given, { hasSession: false })).toBe(200);
    expect(given).toEqual([]);
  });
});
