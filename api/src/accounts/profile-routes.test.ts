import { accountInfo, accountUpdate } from "@mulkko/shared/rest/operations/account";
import { adminAudit } from "@mulkko/shared/rest/operations/admin";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, FARMER, NEIGHBOR, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";

let farm: TestFarm;
const authorizations: Record<string, string> = {};
beforeAll(async () => {
  farm = await startTestFarm();
  for (const name of ["farmer-one", "farmer-two", "overseer"]) {
    authorizations[name] = (await farm.signIn(name)).authorization;
  }
});
afterAll(() => farm.close());

const headers = (who: string) => ({ authorization: authorizations[who] ?? "" });
const update = (id: string, payload: unknown, who = "farmer-one", method: "PUT" | "POST" = "PUT") =>
  farm.app.inject({
    method,
    url: pathTo(accountUpdate, { id }),
    headers: { ...headers(who), "content-type": "application/json" },
    payload: JSON.stringify(payload),
  });
const info = async (who: string) =>
  (await farm.app.inject({ url: accountInfo.path, headers: headers(who) })).json();

const whole = {
  nickname: "선우",
  userAddress: "sunwoo@example.com",
  farmAddress: "햇살농원",
  phone: "010-1234-5678",
  timezone: "Asia/Tokyo",
};

describe("[account] update", () => {
  test("[account] PUT and POST change the caller's account and return it, with the extensions", async () => {
    const answer = await update(FARMER, { ...whole, language: "en", emailNotification: true, id: NEIGHBOR });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ ...whole, id: FARMER, language: "EN", emailNotification: true });
    expect(await info("farmer-one")).toEqual(answer.json());
    const again = await update(FARMER, { nickname: "  김선우 " }, "farmer-one", "POST");
    expect(again.json()).toMatchObject({ ...whole, nickname: "김선우", language: "EN" });
  });

  test("[account] accepts a form too", async () => {
    const answer = await farm.app.inject({
      method: "PUT",
      url: pathTo(accountUpdate, { id: FARMER }),
      headers: { ...headers("farmer-one"), "content-type": "application/x-www-form-urlencoded" },
      payload: "nickname=form&emailNotification=false&language=zh",
    });
    expect(answer.json()).toMatchObject({ nickname: "form", emailNotification: false, language: "ZH" });
  });

  test.each([
    ["another account's", NEIGHBOR],
    ["an unknown", "99999999-0000-4000-8000-000000000001"],
    ["an impossible", "1%20or%201=1"],
  ])("[account] %s id is 404", async (_case, id) => {
    expect((await update(id, whole)).json()).toMatchObject({ status: 404, code: "not-found" });
    expect((await info("farmer-two")).nickname).toBe("farmer-two");
  });

  test("[account] an administrator changes any account, and the audit records the changes", async () => {
    const answer = await update(NEIGHBOR, { phone: "02-555-0100", farmAddress: "x" }, "overseer");
    expect(answer.json()).toMatchObject({ id: NEIGHBOR, phone: "02-555-0100" });
    const audit = await farm.app.inject({ url: adminAudit.path, headers: headers("overseer") });
    expect(audit.json().content[0]).toMatchObject({
      actorId: ADMIN,
      actorName: "overseer",
      action: "user-update",
      subjectId: NEIGHBOR,
      subjectName: "farmer-two",
      before: { phone: "", farmAddress: "" },
      after: { phone: "02-555-0100", farmAddress: "x" },
    });
    expect((await update("99999999-0000-4000-8000-000000000001", {}, "overseer")).statusCode).toBe(404);
  });

  test.each([
    [{ nickname: " " }, "nickname", "The nickname is required."],
    [{ phone: "" }, "phone", "The phone number is required."],
    [{ userAddress: "" }, "userAddress", "The email address is required."],
    [{ farmAddress: "" }, "farmAddress", "The farm name is required."],
    [{ timezone: "Moon/Crater" }, "timezone", "The time zone must be a name such as Asia/Seoul."],
    [{ language: "fr" }, "language", "The language must be KO, EN or ZH."],
    [
      { userAddress: "not-an-email", emailNotification: true },
      "userAddress",
      "The email address must have the form name@example.com.",
    ],
  ])("[account] %j is 422: %s", async (requested, field, defaultMessage) => {
    const answer = await update(FARMER, requested);
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ code: "validation", errors: [{ field, defaultMessage }] });
  });

  test("[account] keeps an invalid address from before validation while other fields change, and sends it no mail", async () => {
    const old = "update account set user_address = 'not-an-email' where id = $1";
    await farm.app.database.query(old, [NEIGHBOR]);
    const whole = { nickname: "Lee", userAddress: "not-an-email" };
    expect((await update(NEIGHBOR, whole, "farmer-two")).json()).toMatchObject(whole);
    const mails = await update(NEIGHBOR, { ...whole, emailNotification: true }, "farmer-two");
    expect(mails.json().errors).toEqual([
      { field: "emailNotification", defaultMessage: "Email notifications require an email address." },
    ]);
  });

  test("[account] reports all broken rules at once", async () => {
    const answer = await update(FARMER, { nickname: "", language: "xx", timezone: "" });
    expect(answer.json().errors.map(({ field }: { field: string }) => field)).toEqual([
      "nickname",
      "timezone",
      "language",
    ]);
  });

  test.each([
    { nickname: {} },
    { nickname: ["a"] },
    { nickname: "x".repeat(65) },
    { emailNotification: "perhaps" },
    "text",
    [],
  ])("[account] %j is 422", async (body) => {
    const answer = await update(FARMER, body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().code).toBe("validation");
  });

  test("[account] stores SQL-like text as text; a NUL, which cannot be stored, is 422", async () => {
    const nickname = "'; drop table account; --";
    expect((await update(FARMER, { nickname })).json().nickname).toBe(nickname);
    const answer = await update(FARMER, { nickname: "a\u0000b" });
    expect(answer.json()).toMatchObject({ status: 422, code: "validation" });
    expect((await info("farmer-one")).nickname).toBe(nickname);
  });

  test("[account] answers 401 without a token and 403 with the relay's", async () => {
    const url = pathTo(accountUpdate, { id: FARMER });
    expect((await farm.app.inject({ method: "PUT", url, payload: {} })).statusCode).toBe(401);
    const authorization = `Bearer ${await farm.app.tokens.relay(FARMER, farm.clock.now())}`;
    const answer = await farm.app.inject({ method: "PUT", url, payload: {}, headers: { authorization } });
    expect(answer.statusCode).toBe(403);
  });
});
