import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import type { FastifyInstance } from "fastify";
import Fastify from "fastify";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFakeFarm, type FakeFarm } from "../../testing/fake-farm.ts";
import { FLEET } from "../store/shard.ts";
import { errorsPlugin } from "./errors.ts";
import { farmCallPlugin } from "./farm-call.ts";
import { loggingOptions } from "./logging.ts";
import { readOnlyAsPlugin } from "./read-only-as.ts";

let app: FastifyInstance;
let farm: FakeFarm;
let lines: string[];
let readings: (readonly [string, string])[];

beforeEach(async () => {
  farm = createFakeFarm(createFakeClock());
  farm.grant("admin", "root", undefined, "ADMIN");
  farm.grant("user", "a");
  lines = [];
  readings = [];
  const audit = {
    readAs: ({ id }: { id: string | number }, account: string) => void readings.push([String(id), account]),
  };
  app = Fastify(loggingOptions({ level: "info", stream: { write: (line) => void lines.push(line) } }));
  await app.register(errorsPlugin);
  await app.register(farmCallPlugin, { imagePrefixes: [] });
  await app.register(readOnlyAsPlugin, { ...farm, audit });
  // The request that a route behind the rule receives, the relay's or the proxy's.
  app.all("/*", async ({ url, headers }) => ({ url, bearer: headers.authorization }));
});
afterEach(() => app.close());

const ask = async (url: string, token = "admin", method: "GET" | "POST" | "PUT" | "DELETE" = "GET") => {
  const answer = await app.inject({ method, url, headers: { authorization: `Bearer ${token}` } });
  return { status: answer.statusCode, body: answer.json() };
};
const audits = () => lines.map((line) => JSON.parse(line)).filter(({ audit }) => audit === "read-as");

describe("[HS-2] reading as another account", () => {
  test.each([
    "/relay/waterings",
    "/relay/alarms",
    "/relay/history",
    "/api/account/info",
    "/api/v1/sensor/widget/list",
    "/api/v1/sensor/read/log/s/2026-11-21%2000:00/2026-11-22%2000:00",
    "/api/v1/controller/channel/7/trigger",
  ])("[HS-2] %s is requested with the account's own session, and without `as`", async (path) => {
    expect(await ask(`${path}?as=b&page=2`)).toEqual({
      status: 200,
      body: { url: `${path}?page=2`, bearer: "Bearer own session of b" },
    });
  });

  test("[HS-2] logs each read with the administrator and the account, and without a token", async () => {
    await ask("/relay/settings?as=b");
    expect(audits()).toMatchObject([{ admin: "root", account: "b", path: "/relay/settings" }]);
    expect(lines.join("")).not.toContain("own session");
  });

  test("[HS-2] reports the administrator and the account to the audit", async () => {
    await ask("/relay/settings?as=b");
    await ask("/relay/settings?as=b", "user");
    expect(readings).toEqual([["root", "b"]]);
  });

  test("[HS-2] an administrator's own account is read with their own token", async () => {
    expect((await ask("/relay/settings?as=root")).body.bearer).toBe("Bearer admin");
    expect(audits()).toEqual([]);
    expect(readings).toEqual([]);
  });

  test.each(["POST", "PUT", "DELETE"] as const)(
    "[HS-2] %s beside `as` is refused, from any caller",
    async (method) => {
      for (const path of ["/api/v1/controller/cmd", "/relay/alarms/a/ack", "/api/v1/admin/sensor/delete/s"]) {
        for (const token of ["admin", "user"]) {
          expect(await ask(`${path}?as=b`, token, method)).toMatchObject({
            status: 403,
            body: { code: "forbidden" },
          });
        }
      }
    },
  );

  test("[HS-2] a user is refused, and an unknown token is unauthorised", async () => {
    expect(await ask("/relay/settings?as=b", "user")).toMatchObject({
      status: 403,
      body: { code: "forbidden" },
    });
    expect((await ask("/relay/settings?as=b", "stolen")).status).toBe(401);
    expect(audits()).toEqual([]);
  });

  test.each([
    "/api/account/logout",
    "/api/v1/session",
    "/api/v1/admin/users",
    "/api/v1/relay/session",
    "/relay/displays",
    "/relay/fleet/beats",
    "/api/v1/sensor/../admin/users",
    "/api/v1/sensor/%2e%2e/admin/users",
    "/api/v1/sensors-of-somebody",
  ])("[HS-2] %s does not belong to a farm and cannot be read as another account", async (path) => {
    expect(await ask(`${path}?as=b`)).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  test("[HS-2] an account without a session of the relay's is not read", async () => {
    farm.breakViews();
    expect(await ask("/relay/settings?as=b")).toMatchObject({ status: 403, body: { code: "forbidden" } });
  });

  test("[HS-2] `as` names exactly one account", async () => {
    for (const query of ["as=", "as=b&as=c", `as=${encodeURIComponent(FLEET)}`]) {
      expect((await ask(`/relay/settings?${query}`)).status, query).toBe(422);
    }
  });

  test("[HS-2] pages of the client are exempt", async () => {
    expect((await app.inject("/dashboard?as=b")).statusCode).toBe(200);
  });
});
