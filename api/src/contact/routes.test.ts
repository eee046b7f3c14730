import { ContactEntry } from "@mulkko/shared/rest/admin";
import { contactSend } from "@mulkko/shared/rest/operations/account";
import { adminContacts } from "@mulkko/shared/rest/operations/admin";
import { PageOf } from "@mulkko/shared/rest/paging";
import { parse } from "@mulkko/shared/schema/parse";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN, FARMER, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";

let farm: TestFarm;
let farmer = "";
let overseer = "";
beforeAll(async () => {
  farm = await startTestFarm();
  farmer = (await farm.signIn("farmer-one")).authorization;
  overseer = (await farm.signIn("overseer")).authorization;
});
afterAll(() => farm.close());

const write = (payload: Record<string, string>) =>
  farm.app.inject({
    method: "POST",
    url: contactSend.path,
    headers: { authorization: farmer, "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams(payload).toString(),
  });
const list = (query = "", authorization = overseer) =>
  farm.app.inject({ url: `${adminContacts.path}${query}`, headers: { authorization } });

test("[contact] stores a form with 204, and lists it for administrators newest first, by pages", async () => {
  expect((await write({ name: "선우", title: "밸브", message: "안 열려요", email: "x" })).statusCode).toBe(
    204,
  );
  farm.clock.advance(1_000);
  expect((await write({ name: "only a name" })).statusCode).toBe(204);
  const answer = await list("?page=1&size=1");
  expect(parse(PageOf(ContactEntry), answer.json()).ok).toBe(true);
  expect(answer.json()).toMatchObject({
    totalElements: 2,
    content: [{ userId: FARMER, username: "farmer-one", name: "only a name", title: "", message: "" }],
  });
  expect((await list("?page=2&size=1")).json().content).toMatchObject([
    { name: "선우", title: "밸브", message: "안 열려요", createdDate: "2026-11-21 12:00:00" },
  ]);
});

test("[contact] accepts JSON too", async () => {
  const answer = await farm.app.inject({
    method: "POST",
    url: contactSend.path,
    headers: { authorization: farmer },
    payload: { name: "json" },
  });
  expect(answer.statusCode).toBe(204);
});

test.each([
  {},
  { name: "" },
  { name: "  " },
  { name: "x".repeat(65) },
  { name: "a", message: "x".repeat(5_001) },
])("[contact] %j is 422", async (payload) => {
  expect((await write(payload)).json()).toMatchObject({ status: 422, code: "validation" });
});

test("[contact] only administrators read messages, not the relay's token", async () => {
  expect((await list("", farmer)).json()).toMatchObject({ status: 403, code: "forbidden" });
  expect((await farm.app.inject({ url: adminContacts.path })).statusCode).toBe(401);
  const relay = `Bearer ${await farm.app.tokens.relay(ADMIN, farm.clock.now())}`;
  expect((await list("", relay)).statusCode).toBe(403);
  expect((await list("?page=0")).statusCode).toBe(422);
  expect((await list("?size=201")).statusCode).toBe(422);
});

test("[contact] accepts at most twenty messages per hour", async () => {
  farm.clock.advance(3_600_000);
  farmer = (await farm.signIn("farmer-one")).authorization;
  for (let index = 0; index < 20; index += 1) expect((await write({ name: "again" })).statusCode).toBe(204);
  const refused = await write({ name: "again" });
  expect(refused.json()).toMatchObject({ status: 429, code: "too-many-requests" });
  expect(refused.headers["retry-after"]).toBe("3600");
});
