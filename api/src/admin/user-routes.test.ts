// This file is long because every call about accounts is tested with each of its rules.

import { topic } from "@mulkko/shared/mqtt/topics";
import { AdminUser, type TrashedUser } from "@mulkko/shared/rest/admin-user";
import { accountInfo, accountLogin } from "@mulkko/shared/rest/operations/account";
import { relaySession } from "@mulkko/shared/rest/operations/relay-calls";
import { sensorList } from "@mulkko/shared/rest/operations/sensors";
import { PageOf } from "@mulkko/shared/rest/paging";
import { parse } from "@mulkko/shared/schema/parse";
import { eventually } from "@mulkko/shared/testing/eventually";
import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  ADMIN,
  FARMER,
  FOREIGN,
  NEIGHBOR,
  PASSWORD,
  RELAY_KEY,
  SOIL,
  startTestFarm,
  type TestFarm,
  VALVES,
} from "../../testing/test-farm.ts";
import { linkOf } from "../devices/device-links.ts";
import { purgeTrash, thinOutReadings } from "./trash.ts";

let farm: TestFarm;
let overseer = "";
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());
beforeEach(async () => {
  farm.clock.advance(11 * 60_000);
  overseer = (await farm.signIn("overseer")).authorization;
});

type Method = "GET" | "POST" | "PUT" | "DELETE";
const call = (method: Method, path: string, payload?: object, authorization = overseer) =>
  farm.app.inject({
    method,
    url: `/api/v1/admin/${path}`,
    headers: { authorization },
    ...(payload ? { payload } : {}),
  });
const person = {
  username: "new-farmer",
  password: "Sickle+2027",
  nickname: "새 농부",
  userAddress: "new@example.com",
  farmAddress: "새 농장",
  phone: "010-9999-0000",
};
const register = (change: object = {}) => call("POST", "user/register", { ...person, ...change });
const idOf = async (username: string): Promise<string> => (await register({ username })).json().id;
const login = (username: string, password: string) =>
  farm.app.inject({ method: "POST", url: accountLogin.path, payload: { username, password } });
const entries = async () => (await call("GET", "audit")).json().content;

describe("[admin] list", () => {
  test("[admin] lists all accounts by name, without paging by default", async () => {
    const answer = await call("GET", "users");
    expect(parse(Type.Array(AdminUser), answer.json()).ok).toBe(true);
    expect(answer.json().map((user: AdminUser) => [user.username, user.userType, user.deviceCount])).toEqual([
      ["farmer-one", "USER", 4],
      ["farmer-two", "USER", 2],
      ["overseer", "ADMIN", 0],
    ]);
    expect(answer.body).not.toContain("password");
  });

  test("[admin] returns a page, filtered and sorted, with the total of all matches", async () => {
    const answer = await call("GET", "users?q=FARMER&sort=username,desc&page=1&size=1");
    expect(parse(PageOf(AdminUser), answer.json()).ok).toBe(true);
    expect(answer.json()).toMatchObject({ totalElements: 2, content: [{ username: "farmer-two" }] });
    expect((await call("GET", "users?page=2&size=2")).json().content).toMatchObject([
      { username: "overseer" },
    ]);
    expect((await call("GET", "users?q=%25")).json()).toEqual({ content: [], totalElements: 0 });
    expect((await call("GET", "users?page=9")).json()).toEqual({ content: [], totalElements: 3 });
  });

  test("[admin] filters by type, with and without pages", async () => {
    expect((await call("GET", "users?userType=ADMIN&page=1&size=5")).json()).toMatchObject({
      totalElements: 1,
      content: [{ username: "overseer" }],
    });
    const farmers = (await call("GET", "users?userType=USER")).json();
    expect(farmers.map(({ username }: AdminUser) => username)).toEqual(["farmer-one", "farmer-two"]);
    expect((await call("GET", "users?userType=USER&q=two")).json().totalElements).toBe(1);
  });

  test.each([
    "page=0",
    "page=x",
    "size=201",
    "userType=FARMER",
    "sort=password_hash",
    `q=${"x".repeat(101)}`,
  ])("[admin] ?%s is 422", async (query) => {
    expect((await call("GET", `users?${query}`)).json()).toMatchObject({ status: 422, code: "validation" });
  });

  test("[admin] returns one account with all its fields", async () => {
    const answer = await call("GET", `user/info/${FARMER}`);
    expect(answer.json()).toMatchObject({
      id: FARMER,
      username: "farmer-one",
      language: "KO",
      timezone: "Asia/Seoul",
      deviceCount: 4,
      createdDate: "1970-01-01 09:00:00",
    });
  });
});

const CALLS: [Method, string, object?][] = [
  ["GET", "user/info/ID"],
  ["PUT", "user/update/ID", { phone: "1" }],
  ["PUT", "user/changepassword/ID", { newPassword: "fresh1", confirmPassword: "fresh1" }],
  ["DELETE", "user/delete/ID"],
];

describe("[admin] permissions", () => {
  const all: typeof CALLS = [...CALLS, ["GET", "users"], ["POST", "user/register", person]];
  test.each(all)("[admin] %s %s is for administrators only", async (method, path, payload) => {
    const { authorization } = await farm.signIn("farmer-one");
    const refused = await call(method, path.replace("ID", FARMER), payload, authorization);
    expect(refused.json()).toMatchObject({ status: 403, code: "forbidden" });
    expect((await call(method, path.replace("ID", FARMER), payload, "")).statusCode).toBe(401);
    const relay = `Bearer ${await farm.app.tokens.relay(ADMIN, farm.clock.now())}`;
    expect((await call(method, path.replace("ID", FARMER), payload, relay)).statusCode).toBe(403);
  });

  test.each(CALLS)("[admin] %s %s of an unknown or invalid id is 404", async (method, path, payload) => {
    for (const id of ["99999999-0000-4000-8000-000000000001", "7", "x'%20or%201=1--"]) {
      expect((await call(method, path.replace("ID", id), payload)).json()).toMatchObject({
        status: 404,
        code: "not-found",
      });
    }
  });
});

describe("[admin] register", () => {
  test("[admin] creates an account that can sign in, with Korean and Seoul as defaults", async () => {
    const answer = await register();
    expect(answer.statusCode).toBe(200);
    const { password: _, ...rest } = person;
    expect(answer.json()).toMatchObject({
      ...rest,
      userType: "USER",
      language: "KO",
      timezone: "Asia/Seoul",
    });
    expect((await login(person.username, person.password)).statusCode).toBe(200);
    const [entry] = await entries();
    expect(entry).toMatchObject({ action: "user-register", subjectName: "new-farmer", before: null });
    expect(JSON.stringify(entry)).not.toContain(person.password);
    const english = await register({ username: "english-one", language: "en", timezone: "Europe/London" });
    expect(english.json()).toMatchObject({ language: "EN", timezone: "Europe/London" });
  });

  test.each(["farmer-one", "FARMER-ONE"])("[admin] %s, a name that is taken, is 409", async (username) => {
    expect((await register({ username })).json()).toMatchObject({
      status: 409,
      code: "conflict",
      errors: [{ field: "username", defaultMessage: "The user name is already taken." }],
    });
  });

  test.each([
    [{ username: "four" }, "username", /5 to 16 letters, digits, underscores or hyphens/],
    [{ username: "seventeen-letters" }, "username", /5 to 16/],
    [{ username: "농부농부농부" }, "username", /5 to 16/],
    [{ password: "seven77" }, "password", /8 to 64/],
    [{ password: "x7".repeat(33) }, "password", /8 to 64/],
    [{ password: "qwerty123" }, "password", /too common/],
    [{ password: "mulkko2026!" }, "password", /demo/],
    [{ nickname: "" }, "nickname", /required/],
    [{ userAddress: undefined }, "userAddress", /required/],
    [{ farmAddress: undefined }, "farmAddress", /required/],
    [{ phone: undefined }, "phone", /required/],
    [{ timezone: "Nowhere" }, "timezone", /Asia\/Seoul/],
    [{ userType: "OWNER" }, "userType", /./],
    [{ username: {} }, "username", /./],
  ])("[admin] %j is 422 for its %s", async (change, field, sentence) => {
    const answer = await register({ username: "refused-one", ...change });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors[0]).toEqual({ field, defaultMessage: expect.stringMatching(sentence) });
  });

  test("[admin] reports every broken rule, one sentence each", async () => {
    const answer = await register({ username: "no", password: "no", nickname: "" });
    expect(answer.json().errors.map(({ field }: { field: string }) => field)).toEqual([
      "username",
      "password",
      "nickname",
    ]);
  });
});

describe("[admin] update", () => {
  test("[admin] changes given fields, and records their old values", async () => {
    const id = await idOf("change-me");
    const change = { username: "changed", phone: "02-1", language: "zh", userType: "ADMIN" };
    const answer = await call("PUT", `user/update/${id}`, change);
    expect(answer.json()).toMatchObject({ ...change, id, language: "ZH", nickname: person.nickname });
    const [entry] = await entries();
    expect(entry).toMatchObject({
      action: "user-update",
      before: { username: "change-me", phone: person.phone, language: "KO", userType: "USER" },
      after: { username: "changed", phone: "02-1", language: "ZH", userType: "ADMIN" },
    });
    expect((await call("POST", `user/update/${id}`, { userType: "USER" })).json().userType).toBe("USER");
  });

  test("[admin] a taken name is 409, an invalid one 422", async () => {
    const id = await idOf("rename-me");
    expect((await call("PUT", `user/update/${id}`, { username: "Farmer-Two" })).statusCode).toBe(409);
    expect((await call("PUT", `user/update/${id}`, { username: "Rename-Me" })).statusCode).toBe(200);
    expect((await call("PUT", `user/update/${id}`, { username: "a b" })).statusCode).toBe(422);
    expect((await call("PUT", `user/update/${id}`, { nickname: "" })).statusCode).toBe(422);
    expect((await call("PUT", `user/update/${id}`, { username: "rename-me" })).statusCode).toBe(200);
  });

  test("[admin] a disabled account is signed out at once, and can be enabled again", async () => {
    const { authorization } = await farm.signIn("farmer-two");
    const me = () => farm.app.inject({ url: accountInfo.path, headers: { authorization } });
    await call("PUT", `user/update/${NEIGHBOR}`, { disabled: true });
    expect((await me()).json()).toMatchObject({ status: 403, code: "account-disabled" });
    await call("PUT", `user/update/${NEIGHBOR}`, { disabled: false });
    expect((await me()).statusCode).toBe(200);
  });

  test("[admin] the last administrator can be neither demoted, disabled nor deleted", async () => {
    for (const change of [{ userType: "USER" }, { disabled: true }]) {
      const answer = await call("PUT", `user/update/${ADMIN}`, change);
      expect(answer.json()).toMatchObject({ status: 409, code: "conflict" });
    }
    expect((await call("DELETE", `user/delete/${ADMIN}`)).statusCode).toBe(409);
    const other = await idOf("second-admin");
    await call("PUT", `user/update/${other}`, { userType: "ADMIN" });
    expect((await call("PUT", `user/update/${ADMIN}`, { nickname: "still here" })).statusCode).toBe(200);
    // Each demotes the other at the same moment: one of them stays.
    const { accessToken } = (await login("second-admin", person.password)).json();
    const both = await Promise.all([
      call("PUT", `user/update/${other}`, { userType: "USER" }),
      call("PUT", `user/update/${ADMIN}`, { userType: "USER" }, `Bearer ${accessToken}`),
    ]);
    expect(both.map(({ statusCode }) => statusCode).filter((status) => status === 200)).toHaveLength(1);
    const admins = await farm.app.database.query("select id from account where user_type = 'ADMIN'");
    expect(admins).toHaveLength(1);
    await farm.app.database.query("update account set user_type = 'ADMIN' where id = $1", [ADMIN]);
    await farm.app.database.query("update account set user_type = 'USER' where id = $1", [other]);
  });
});

describe("[admin] changepassword", () => {
  test("[admin] accepts five characters; other sessions end, the caller's stays", async () => {
    const { authorization } = await farm.signIn("farmer-two");
    const relay = await farm.connect({ username: "relay", password: RELAY_KEY });
    const said: unknown[] = [];
    relay.on("message", (_topic, payload) => said.push(JSON.parse(payload.toString())));
    await relay.subscribeAsync(`mulkko/out/${NEIGHBOR}/changed`);
    const change = { newPassword: "h4rr0", confirmPassword: "h4rr0" };
    expect((await call("PUT", `user/changepassword/${NEIGHBOR}`, change)).statusCode).toBe(204);
    // The relay ends sessions of the old password, even if another program changed it.
    await eventually(() => expect(said).toEqual([{ entity: "password", id: NEIGHBOR }]));
    expect((await login("farmer-two", "h4rr0")).statusCode).toBe(200);
    expect((await login("farmer-two", PASSWORD)).statusCode).toBe(401);
    const old = await farm.app.inject({ url: accountInfo.path, headers: { authorization } });
    expect(old.statusCode).toBe(401);
    const [entry] = await entries();
    expect(entry).toMatchObject({ action: "user-password", subjectId: NEIGHBOR, before: null, after: null });
    const own = { newPassword: PASSWORD, confirmPassword: PASSWORD };
    expect((await call("PUT", `user/changepassword/${ADMIN}`, own)).statusCode).toBe(204);
    expect((await call("GET", "users")).statusCode).toBe(200);
    await call("PUT", `user/changepassword/${NEIGHBOR}`, own);
  });

  test("[admin] the errors name both fields", async () => {
    const change = { newPassword: "1234", confirmPassword: "4321" };
    expect((await call("PUT", `user/changepassword/${NEIGHBOR}`, change)).json()).toMatchObject({
      status: 422,
      message: expect.stringMatching(/must have 5 to 64.+ The passwords do not match/),
      errors: [{ field: "newPassword" }, { field: "confirmPassword" }],
    });
    expect((await call("PUT", `user/changepassword/${NEIGHBOR}`, {})).statusCode).toBe(422);
  });
});

describe("[admin] delete", () => {
  const trash = async (): Promise<TrashedUser[]> => (await call("GET", "trash")).json();

  test("[trash] a deleted account cannot sign in, its devices are unknown, and its name and serials stay taken", async () => {
    const { authorization } = await farm.signIn("farmer-one");
    const device = await farm.connect(SOIL);
    await device.publishAsync(`mulkko/${SOIL.serial}/up`, '{"moisture": 31}', { qos: 1 });
    const hungUp = new Promise<void>((resolve) => device.once("close", () => resolve()));
    expect((await call("DELETE", `user/delete/${FARMER}`)).statusCode).toBe(204);
    await hungUp;
    const info = await farm.app.inject({ url: accountInfo.path, headers: { authorization } });
    expect(info.statusCode).toBe(401);
    expect((await farm.signIn("farmer-one")).pair.accessToken).toBeUndefined();
    await expect(farm.connect(SOIL)).rejects.toThrow();
    const relayKey = { relaykey: RELAY_KEY };
    const session = { method: "POST", url: relaySession.path, headers: relayKey } as const;
    expect((await farm.app.inject({ ...session, payload: { userId: FARMER } })).statusCode).toBe(404);
    expect(farm.app.deviceIndex.bySerial(SOIL.serial)).toBeUndefined();
    for (const path of [`user/info/${FARMER}`, `clusters?userId=${FARMER}`]) {
      expect([path, (await call("GET", path)).statusCode]).toEqual([path, 404]);
    }
    for (const path of ["users", "sensors", "devices"]) {
      expect((await call("GET", path)).body).not.toContain("farmer-one");
    }
    const again = await register({ username: "Farmer-One" });
    expect(again.json()).toMatchObject({ status: 409, code: "in-trash", errors: [{ field: "username" }] });
    const sensor = { userId: NEIGHBOR, name: "x", serial: String(SOIL.serial), deviceType: "SMS" };
    const taken = await call("POST", "sensor/add", sensor);
    expect(taken.json()).toMatchObject({ status: 409, code: "in-trash", errors: [{ field: "serial" }] });
    const [entry] = await entries();
    expect(entry).toMatchObject({
      action: "user-delete",
      subjectName: "farmer-one",
      before: { username: "farmer-one", devices: 4 },
    });
    expect((await call("DELETE", `user/delete/${FARMER}`)).statusCode).toBe(404);
  });

  test("[trash] keeps it for thirty days, in which an administrator can restore it with all its data", async () => {
    const [found] = await trash();
    expect(found).toMatchObject({ id: FARMER, username: "farmer-one", deviceCount: 4 });
    expect(Date.parse(found?.purgeDate ?? "") - Date.parse(found?.deletedDate ?? "")).toBe(30 * 86_400_000);
    expect((await call("POST", `user/restore/${FARMER}`)).statusCode).toBe(204);
    expect(await trash()).toEqual([]);
    const { authorization } = await farm.signIn("farmer-one");
    const sensors = await farm.app.inject({ url: sensorList.path, headers: { authorization } });
    expect(sensors.json()).toHaveLength(3);
    await (await farm.connect(SOIL)).publishAsync(`mulkko/${SOIL.serial}/up`, '{"moisture": 32}', { qos: 1 });
    expect((await entries())[0]).toMatchObject({ action: "user-restore", subjectName: "farmer-one" });
    expect((await call("POST", `user/restore/${FARMER}`)).statusCode).toBe(404);
  });

  test("[WILL-2] a restored account's controller is lost until it connects again", async () => {
    const obeying = async () => {
      const client = await farm.connect(VALVES);
      await client.subscribeAsync(`mulkko/${VALVES.serial}/ch/+/cmd/#`, { qos: 1 });
      return client;
    };
    const link = () => linkOf(farm.app.ingest.links.of(VALVES.id));
    const valves = await obeying();
    await valves.publishAsync(topic.channelState(VALVES.serial, 1), '{"onoff": 2}', { qos: 1 });
    expect(link()).toBe("up");
    expect((await call("DELETE", `user/delete/${FARMER}`)).statusCode).toBe(204);
    expect((await call("POST", `user/restore/${FARMER}`)).statusCode).toBe(204);
    expect(link()).toBe("lost");
    await obeying();
    await eventually(() => expect(link()).toBe("up"));
  });

  test("[trash] is purged after thirty days, with devices, readings, commands and sessions", async () => {
    await farm.app.database.query(
      "insert into command (account_id, key, content, created_at) values ($1, 'k', '{}', now())",
      [FARMER],
    );
    await call("DELETE", `user/delete/${FARMER}`);
    await purgeTrash(farm.app.database, farm.clock.now() + 30 * 86_400_000 - 1);
    expect(await trash()).toHaveLength(1);
    await purgeTrash(farm.app.database, farm.clock.now() + 30 * 86_400_000 + 1);
    expect(await trash()).toEqual([]);
    for (const table of ["device", "session", "command", "cluster"]) {
      const rows = await farm.app.database.query(`select 1 from ${table} where account_id = $1`, [FARMER]);
      expect(rows).toEqual([]);
    }
    for (const table of ["reading", "latest"]) {
      expect(await farm.app.database.query(`select 1 from ${table} where sensor_id = $1`, [SOIL.id])).toEqual(
        [],
      );
    }
  });

  test("[admin] deletes many readings slice by slice, and keeps those of other accounts", async () => {
    const { database } = farm.app;
    const device = await farm.connect(FOREIGN);
    for (let minute = 1; minute <= 20; minute += 1) {
      const at = new Date(farm.clock.now() - minute * 60_000).toISOString();
      await device.publishAsync(`mulkko/${FOREIGN.serial}/up`, `{"moisture": ${minute}, "at": "${at}"}`, {
        qos: 1,
      });
    }
    const left = async (): Promise<number> =>
      (await database.query("select at from reading where sensor_id = $1", [FOREIGN.id])).length;
    await thinOutReadings(database, ADMIN, 3);
    expect(await left()).toBe(20);
    await thinOutReadings(database, NEIGHBOR, 6);
    expect(await left()).toBe(2);
  });

  test("[admin] POST deletes too", async () => {
    const id = await idOf("short-lived");
    expect((await call("POST", `user/delete/${id}`)).statusCode).toBe(204);
    expect((await call("GET", `user/info/${id}`)).statusCode).toBe(404);
  });

  test("[SHARE-6] an administrator frees a serial in the trash: its device is deleted for good, and no other", async () => {
    const free = (serial: number | string) => call("DELETE", `trash/serial/${serial}`);
    expect((await free(FOREIGN.serial)).statusCode).toBe(404);
    expect((await call("DELETE", `user/delete/${NEIGHBOR}`)).statusCode).toBe(204);
    expect((await free("12x")).statusCode).toBe(422);
    expect((await free(FOREIGN.serial)).statusCode).toBe(204);
    expect((await free(FOREIGN.serial)).statusCode).toBe(404);
    expect((await entries())[0]).toMatchObject({
      action: "sensor-delete",
      subjectName: String(FOREIGN.serial),
      before: { serial: FOREIGN.serial, username: "farmer-two" },
    });
    const sensor = { userId: ADMIN, name: "x", serial: String(FOREIGN.serial), deviceType: "SMS" };
    expect((await call("POST", "sensor/add", sensor)).statusCode).toBe(200);
    expect((await call("POST", `user/restore/${NEIGHBOR}`)).statusCode).toBe(204);
    const devices = await farm.app.database.query<{ serial: number }>(
      "select serial from device where account_id = $1",
      [NEIGHBOR],
    );
    expect(devices.map(({ serial }) => serial)).not.toContain(FOREIGN.serial);
    expect(devices.length).toBeGreaterThan(0);
  });
});
