import { AdminCluster } from "@mulkko/shared/rest/admin";
import { adminClusters } from "@mulkko/shared/rest/operations/admin";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN, FARMER, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";

let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());

const list = async (query: string, who = "overseer") => {
  const { authorization } = await farm.signIn(who);
  return farm.app.inject({ url: `${adminClusters.path}${query}`, headers: { authorization } });
};

test("[admin] lists the farms of one account by name, or an empty list", async () => {
  const answer = await list(`?userId=${FARMER}`);
  expect(parse(Type.Array(AdminCluster), answer.json()).ok).toBe(true);
  expect(answer.json()).toEqual([
    { id: 3, name: "Empty", description: "", userId: FARMER },
    { id: 1, name: "House", description: "", userId: FARMER },
  ]);
  expect((await list(`?userId=${ADMIN}`)).json()).toEqual([]);
});

test("[admin] an unknown or invalid account is 404, a missing one 422; administrators only", async () => {
  expect((await list("?userId=99999999-0000-4000-8000-000000000001")).statusCode).toBe(404);
  expect((await list("?userId=x")).statusCode).toBe(404);
  expect((await list("")).json()).toMatchObject({ status: 422, code: "validation" });
  expect((await list(`?userId=${FARMER}`, "farmer-one")).statusCode).toBe(403);
  expect((await farm.app.inject(`${adminClusters.path}?userId=${FARMER}`)).statusCode).toBe(401);
});
