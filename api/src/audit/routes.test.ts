import { AuditEntry } from "@mulkko/shared/rest/admin";
import { adminAudit } from "@mulkko/shared/rest/operations/admin";
import { relayAudit } from "@mulkko/shared/rest/operations/relay-calls";
import { PageOf } from "@mulkko/shared/rest/paging";
import { parse } from "@mulkko/shared/schema/parse";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN, FARMER, NEIGHBOR, RELAY_KEY, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { changedOnly, recordAuditEntry, sweepAuditEntries } from "./repository.ts";

let farm: TestFarm;
let overseer = "";
beforeAll(async () => {
  farm = await startTestFarm();
  overseer = (await farm.signIn("overseer")).authorization;
});
afterAll(() => farm.close());

const list = (query = "", authorization = overseer) =>
  farm.app.inject({ url: `${adminAudit.path}${query}`, headers: { authorization } });
const act = (method: "PUT" | "DELETE", path: string, payload?: object) =>
  farm.app.inject({
    method,
    url: `/api/v1/admin/user/${path}`,
    headers: { authorization: overseer },
    ...(payload ? { payload } : {}),
  });

test("[audit] records only differences", () => {
  expect(changedOnly({ a: 1, b: "x", gone: true }, { a: 1, b: "y", made: null })).toEqual({
    before: { b: "x", gone: true },
    after: { b: "y", made: null },
  });
});

test("[audit] names actor, action, target and time, newest first, by pages, even after both are deleted", async () => {
  await act("PUT", `update/${FARMER}`, { phone: "010-1" });
  farm.clock.advance(60_000);
  await act("PUT", `changepassword/${NEIGHBOR}`, { newPassword: "Sickle5", confirmPassword: "Sickle5" });
  await act("DELETE", `delete/${FARMER}`);
  const answer = await list();
  expect(parse(PageOf(AuditEntry), answer.json()).ok).toBe(true);
  const entries = answer
    .json()
    .content.map((one: AuditEntry) => [one.action, one.subjectName, one.createdDate]);
  expect(entries).toEqual([
    ["user-delete", "farmer-one", "2026-11-21 12:01:00"],
    ["user-password", "farmer-two", "2026-11-21 12:01:00"],
    ["user-update", "farmer-one", "2026-11-21 12:00:00"],
  ]);
  expect(answer.body).not.toContain("Sickle5");
  expect((await list("?page=3&size=1")).json()).toMatchObject({
    totalElements: 3,
    content: [{ before: { phone: "" }, after: { phone: "010-1" }, actorId: ADMIN }],
  });
});

test("[audit] filters by actor or target, by kind, and by time", async () => {
  const found = async (query: string): Promise<string[]> =>
    (await list(query)).json().content.map((one: AuditEntry) => one.action);
  expect(await found("?q=TWO")).toEqual(["user-password"]);
  expect(await found("?q=overseer&kind=user")).toHaveLength(3);
  expect(await found("?kind=sensor")).toEqual([]);
  // 12:00 in Seoul is 03:00 UTC.
  expect(await found("?to=2026-11-21T03:01:00Z")).toEqual(["user-update"]);
  expect(await found("?from=2026-11-21T03:01:00Z&size=1")).toEqual(["user-delete"]);
  expect((await list("?q=nobody")).json()).toEqual({ content: [], totalElements: 0 });
  expect((await list("?from=yesterday")).statusCode).toBe(422);
});

test("[audit] does not record refused actions", async () => {
  const before = (await list()).json().totalElements;
  await act("PUT", `update/${NEIGHBOR}`, { username: "overseer" });
  await act("PUT", `update/${NEIGHBOR}`, { nickname: "" });
  await act("DELETE", `delete/${ADMIN}`);
  expect((await list()).json().totalElements).toBe(before);
});

test("[audit] is for administrators only, and not for the relay's token", async () => {
  const { authorization } = await farm.signIn("overseer");
  const relay = `Bearer ${await farm.app.tokens.relay(ADMIN, farm.clock.now())}`;
  expect((await list("", relay)).statusCode).toBe(403);
  expect((await list("", "")).statusCode).toBe(401);
  expect((await list("?size=0", authorization)).statusCode).toBe(422);
});

/** Send an entry as a relay does, at noon of the tests' day. */
const tell = (change: object = {}, relaykey = RELAY_KEY) =>
  farm.app.inject({
    method: "POST",
    url: relayAudit.path,
    headers: { relaykey },
    payload: {
      actor: { id: ADMIN, username: "overseer" },
      action: "account-read",
      subject: { kind: "user", id: NEIGHBOR },
      at: "2026-11-20T03:00:00.000Z",
      ...change,
    },
  });

test("[HS-2] records an action through the relay at its own time, once, with its changes", async () => {
  expect((await tell()).statusCode).toBe(204);
  expect((await tell()).statusCode).toBe(204);
  const wall = { name: "Shed", turnSeconds: "20", sound: "off" };
  const changed = await tell({
    action: "display-change",
    subject: { kind: "display", id: "d1", name: "Shed" },
    before: wall,
    after: { ...wall, turnSeconds: "30", night: "22:00–06:00" },
    at: "2026-11-20T03:00:01.000Z",
  });
  expect(changed.statusCode).toBe(204);
  const { content } = (await list("?to=2026-11-21T00:00:00Z")).json();
  expect(content).toMatchObject([
    {
      action: "display-change",
      subjectKind: "display",
      subjectName: "Shed",
      before: { turnSeconds: "20" },
      after: { turnSeconds: "30", night: "22:00–06:00" },
    },
    {
      action: "account-read",
      actorName: "overseer",
      subjectName: "farmer-two",
      createdDate: "2026-11-20 12:00:00",
    },
  ]);
  // A late report has the time of the action, not of the report.
  expect((await list("?size=1")).json().content[0].createdDate > "2026-11-21").toBe(true);
});

test("[HS-2] accepts entries from the relay only, none in the future, and only kinds that a relay knows", async () => {
  expect((await tell({}, "guessed")).statusCode).toBe(401);
  expect((await tell({ action: "user-delete" })).statusCode).toBe(422);
  await tell({
    action: "display-revoke",
    subject: { kind: "display", id: "d2", name: "" },
    at: "2040-01-01T00:00:00Z",
  });
  const [newest] = (await list("?kind=display&size=1")).json().content;
  expect(newest.createdDate).toBe("2026-11-21 12:01:00");
});

test("[audit] is kept for three years", async () => {
  const actor = { id: ADMIN, username: "overseer" };
  const entry = { actor, action: "test", subject: { kind: "user", id: 1, name: "x" } };
  await recordAuditEntry(farm.app.database, entry, farm.clock.now() - 1_096 * 86_400_000);
  const count = async (): Promise<number> =>
    (await farm.app.database.query("select 1 from audit where action = 'test'")).length;
  expect(await count()).toBe(1);
  await sweepAuditEntries(farm.app.database, farm.clock.now());
  expect(await count()).toBe(0);
});
