import { type RunningPostgres, startPostgres } from "@mulkko/testing/engines/postgres";
import { afterAll, expect, test } from "vitest";
import { SOIL, startTestFarm } from "../../testing/test-farm.ts";
import { databaseSuite } from "./database.suite.ts";
import { openPostgres } from "./postgres.ts";

const server: RunningPostgres = await startPostgres();
let stopped = false;
afterAll(async () => {
  if (!stopped) await server.stop();
});

databaseSuite("postgres", () => openPostgres(server.url));

test("[database] postgres: during an outage calls answer 503, readiness fails, and the process stays alive", async () => {
  const own = await openPostgres(server.url);
  await own.exec("create database farm");
  await own.close();
  const farm = await startTestFarm({ DATABASE_URL: server.url.replace(/\/postgres$/, "/farm") });
  const { authorization } = await farm.signIn("farmer-one");
  const list = () => farm.app.inject({ url: "/api/v1/sensor/list", headers: { authorization } });
  expect((await list()).statusCode).toBe(200);
  const device = await farm.connect(SOIL);
  await device.publishAsync(`mulkko/${SOIL.serial}/up`, '{"moisture": 1}', { qos: 1 });
  await server.stop();
  stopped = true;
  const acknowledged = device.publishAsync(`mulkko/${SOIL.serial}/up`, '{"moisture": 2}', { qos: 1 });
  const outcome = await Promise.race([
    acknowledged.then(() => "acknowledged"),
    new Promise((resolve) => device.once("close", () => resolve("not acknowledged"))),
  ]);
  expect(outcome).toBe("not acknowledged");
  acknowledged.catch(() => undefined);
  const answer = await list();
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ status: 503, code: "database-down" });
  // A look just before the outage counts for three seconds.
  farm.clock.advance(5_000);
  expect((await farm.app.inject("/ready")).json()).toMatchObject({ ready: false, database: false });
  expect((await farm.app.inject("/health")).statusCode).toBe(200);
  await farm.close();
});
