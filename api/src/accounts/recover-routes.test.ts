import { accountInfo } from "@mulkko/shared/rest/operations/account";
import { eventually } from "@mulkko/shared/testing/eventually";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { FARMER, NEIGHBOR, PASSWORD, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { sweepRecovery } from "./recovery.ts";

let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm({ PUBLIC_URL: "https://farm.example.com/" });
});
afterAll(() => farm.close());
beforeEach(async () => {
  farm.clock.advance(11 * 60_000);
  await farm.app.database.query("delete from outbox");
  await farm.app.database.query("delete from recovery");
  await farm.app.database.query("update account set user_address = $2 where id = $1", [
    FARMER,
    "Sunwoo@Example.com",
  ]);
});

const post = (path: string, payload: object, ip = "203.0.113.1") =>
  farm.app.inject({
    method: "POST",
    url: `/api/account/${path}`,
    payload,
    headers: { "x-forwarded-for": ip },
  });
const recover = (email: string, ip?: string) => post("recover", { email }, ip);
const confirm = (token: string, password = "Harrow+2027") => post("recover/confirm", { token, password });
const login = (username: string, password: string) => post("login", { username, password });
interface Kept {
  recipient: string;
  body: string;
  subject: string;
}
const mails = () =>
  farm.app.database.query<Kept>(
    "select recipient, subject, body from outbox where state = 'kept' order by id",
  );
const tokenOf = (mail: Kept | undefined): string =>
  /https:\/\/farm\.example\.com\/recover\?token=([\w-]{43})/.exec(mail?.body ?? "")?.[1] ?? "";

/** Request a link, and wait for the mail. */
async function tokenFor(email: string): Promise<string> {
  const before = (await mails()).length;
  expect((await recover(email)).statusCode).toBe(202);
  await eventually(async () => expect(await mails()).toHaveLength(before + 1));
  return tokenOf((await mails()).at(-1));
}

test("[recover] mails a link to the account's address, in its language, which sets a new password once", async () => {
  const old = await farm.signIn("farmer-one");
  const token = await tokenFor("sunwoo@example.com");
  const [mail] = await mails();
  expect(mail).toMatchObject({
    recipient: "Sunwoo@Example.com",
    subject: expect.stringContaining("비밀번호"),
  });
  expect(mail?.body).toContain("farmer-one");
  expect((await confirm(token)).statusCode).toBe(204);
  expect((await login("farmer-one", "Harrow+2027")).statusCode).toBe(200);
  expect((await login("farmer-one", PASSWORD)).statusCode).toBe(401);
  const info = { url: accountInfo.path, headers: { authorization: old.authorization } };
  expect((await farm.app.inject(info)).statusCode).toBe(401);
  expect((await confirm(token)).json()).toMatchObject({
    status: 422,
    errors: [{ field: "token", defaultMessage: "The link has been used or has expired." }],
  });
  const again = await tokenFor("sunwoo@example.com");
  expect((await confirm(again, PASSWORD)).statusCode).toBe(204);
});

test("[recover] answers an unknown address, no address and SQL alike, and sends no mail", async () => {
  const known = await recover("sunwoo@example.com");
  expect([known.statusCode, known.body]).toEqual([202, ""]);
  await eventually(async () => expect(await mails()).toHaveLength(1));
  for (const email of ["nobody@example.com", "not an address", "' or 1=1 --", "%", "a\u0000b"]) {
    const answer = await recover(email);
    expect([answer.statusCode, answer.body]).toEqual([known.statusCode, known.body]);
  }
  await tokenFor("sunwoo@example.com");
  expect(await mails()).toHaveLength(2);
});

test.each([[{}], [{ email: "" }], [{ email: {} }], [{ email: "x".repeat(255) }]])(
  "[recover] %j is 422",
  async (payload) => {
    expect((await post("recover", payload)).json()).toMatchObject({ status: 422, code: "validation" });
  },
);

test("[recover] a link is valid for thirty minutes; three per account work; password rules apply before it is used", async () => {
  const first = await tokenFor("sunwoo@example.com");
  farm.clock.advance(1_000);
  const second = await tokenFor("sunwoo@example.com");
  farm.clock.advance(30 * 60_000 - 1_000);
  expect((await confirm(first)).statusCode).toBe(422);
  expect((await confirm(second, "short")).json().errors[0]).toMatchObject({ field: "password" });
  expect((await confirm(second, PASSWORD)).statusCode).toBe(204);

  const tokens: string[] = [];
  for (let index = 0; index < 4; index += 1) {
    if (index === 3) farm.clock.advance(10 * 60_000);
    farm.clock.advance(1_000);
    tokens.push(await tokenFor("sunwoo@example.com"));
  }
  expect((await confirm(tokens[0] ?? "")).statusCode).toBe(422);
  expect((await confirm(tokens[1] ?? "", PASSWORD)).statusCode).toBe(204);
  expect((await confirm(tokens[3] ?? "")).statusCode).toBe(422);
});

test("[recover] every account of an address gets its own link; a disabled one gets none", async () => {
  await farm.app.database.query("update account set user_address = 'sunwoo@example.com' where id = $1", [
    NEIGHBOR,
  ]);
  await recover("sunwoo@example.com");
  await eventually(async () => expect(await mails()).toHaveLength(2));
  const tokens = (await mails()).map(tokenOf);
  await farm.app.database.query("update account set disabled = true where id = $1", [NEIGHBOR]);
  expect((await confirm(tokens[1] ?? "")).statusCode).toBe(422);
  await tokenFor("sunwoo@example.com");
  await farm.app.database.query("update account set disabled = false, user_address = '' where id = $1", [
    NEIGHBOR,
  ]);
});

test("[recover] one client may ask twenty times; one address gets three mails in ten minutes", async () => {
  for (let index = 0; index < 20; index += 1) {
    expect((await recover("sunwoo@example.com", "203.0.113.7")).statusCode).toBe(202);
  }
  const refused = await recover("sunwoo@example.com", "203.0.113.7");
  expect(refused.json()).toMatchObject({ status: 429, code: "too-many-requests" });
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await recover("someone@example.com", "203.0.113.8")).statusCode).toBe(202);
  await eventually(async () => expect(await mails()).toHaveLength(3));
});

test("[recover] limits token guesses, stores no plain tokens, and deletes expired ones", async () => {
  const token = await tokenFor("sunwoo@example.com");
  const rows = await farm.app.database.query("select encode(hash, 'escape') as hash from recovery");
  expect(JSON.stringify(rows)).not.toContain(token);
  const answers: number[] = [];
  for (let index = 0; index < 31; index += 1) answers.push((await confirm(`guess-${index}`)).statusCode);
  expect(answers.at(-1)).toBe(429);
  farm.clock.advance(31 * 60_000);
  await sweepRecovery(farm.app.database, farm.clock.now());
  expect(await farm.app.database.query("select 1 from recovery")).toEqual([]);
  expect(farm.lines.join("")).not.toContain(token);
});

test.each([[{}], [{ token: "x" }], [{ password: "Harrow+2027" }], [{ token: {}, password: [] }]])(
  "[recover] confirming with %j is 422",
  async (payload) => {
    expect((await post("recover/confirm", payload)).statusCode).toBe(422);
  },
);
