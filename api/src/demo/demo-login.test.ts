import { stat } from "node:fs/promises";
import { join } from "node:path";
import { accountLogin } from "@mulkko/shared/rest/operations/account";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { hashPassword } from "../accounts/passwords.ts";
import { build } from "../app.ts";
import { readConfig } from "../config.ts";
import type { App } from "../http/server.ts";
import { DEMO_PASSWORD } from "./farm.ts";

let farm: TestFarm;
let app: App;
let token = "";
const JOIN = { name: "My soil", serial: "31000001", deviceType: "SMS" };
const NEIGHBOR = "d0e50000-0000-4000-8000-000000000002";

beforeAll(async () => {
  farm = await startTestFarm({ DEMO: "on" }, { empty: true });
  app = farm.app;
  const payload = { username: "farmer", password: DEMO_PASSWORD };
  token = (await app.inject({ method: "POST", url: accountLogin.path, payload })).json().accessToken;
}, 120_000);
afterAll(async () => {
  await app.close();
  await farm.close();
});

const headers = () => ({ authorization: `Bearer ${token}` });
const demo = async () => (await app.inject("/api/v1/setup")).json().demo;
const statusOf = async (password: string, username = "farmer") =>
  (await app.inject({ method: "POST", url: accountLogin.path, payload: { username, password } })).statusCode;
/** Start on the same folder again, with changed variables. */
async function restart(environment: Record<string, string>): Promise<void> {
  await app.close();
  const common = { API_PORT: "0", MQTT_PORT: "0", DATA_DIR: farm.folder, DEMO: "on", LOG_LEVEL: "silent" };
  app = await build(readConfig({ ...common, ...environment }), { clock: farm.clock });
}

test("[DEMO-1] the page hears of a device of one's own, and names no account that has a password of its own", async () => {
  expect(await demo()).toEqual({
    usernames: ["farmer", "neighbor", "admin"],
    password: DEMO_PASSWORD,
    ownDevices: false,
  });
  const added = await app.inject({
    method: "POST",
    url: "/api/v1/sensor/add",
    headers: headers(),
    payload: JOIN,
  });
  expect(added.statusCode).toBe(200);
  const passwordHash = await hashPassword("a password of kim's own");
  await app.database.query("update account set password_hash = $2 where id = $1", [NEIGHBOR, passwordHash]);
  expect(await demo()).toEqual({
    usernames: ["farmer", "admin"],
    password: DEMO_PASSWORD,
    ownDevices: true,
  });
});

test("[DEMO-1] the published password ends where the demo comes into reach of others, and so do its sessions", async () => {
  await restart({ HOST: "0.0.0.0" });
  const own = app.demoLogin?.password ?? "";
  expect(own).toMatch(/^[2-9a-z]{4}-[2-9a-z]{4}-[2-9a-z]{4}$/);
  expect((await stat(join(farm.folder, "demo-password"))).mode & 0o777).toBe(0o600);
  expect([await statusOf(DEMO_PASSWORD), await statusOf(own)]).toEqual([401, 200]);
  expect(await statusOf("a password of kim's own", "neighbor")).toBe(200);
  expect(await demo()).toEqual({ usernames: ["farmer", "admin"], ownDevices: true });
  expect((await app.inject({ url: "/api/account/info", headers: headers() })).statusCode).toBe(401);
});

test("[DEMO-1] the password of an installation stays, also where the demo is for this machine alone again", async () => {
  const own = app.demoLogin?.password ?? "";
  await restart({});
  expect(app.demoLogin?.password).toBe(own);
  expect([await statusOf(DEMO_PASSWORD, "admin"), await statusOf(own, "admin")]).toEqual([401, 200]);
  expect(await demo()).toEqual({ usernames: ["farmer", "admin"], ownDevices: true });
});
