import { Notification } from "@mulkko/shared/entities/notification";
import { notificationList, notificationRead } from "@mulkko/shared/rest/operations/notifications";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { parse } from "@mulkko/shared/schema/parse";
import { eventually } from "@mulkko/shared/testing/eventually";
import { Type } from "typebox";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FARMER, NEIGHBOR, RELAY_KEY, startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { notify } from "./repository.ts";

let farm: TestFarm;
beforeAll(async () => {
  farm = await startTestFarm();
});
afterAll(() => farm.close());

test("[notification] is stored, sent to the relay, and listed newest first, a hundred at most, for its owner only", async () => {
  const { database, ingest } = farm.app;
  const parts = { database, outputs: ingest.outputs, zone: createApiTimeZone("Asia/Seoul") };
  const relay = await farm.connect({ username: "relay", password: RELAY_KEY });
  const received: string[] = [];
  relay.on("message", (topic) => received.push(topic));
  await relay.subscribeAsync("mulkko/out/+/noti");
  const start = farm.clock.now();
  await notify(parts, { accountId: NEIGHBOR, type: "DEVICE", message: "not yours", at: start });
  for (let index = 0; index < 105; index += 1) {
    await notify(parts, {
      accountId: FARMER,
      type: "BATTERY",
      message: `low ${index}`,
      at: start + index * 1_000,
    });
  }
  const { authorization } = await farm.signIn("farmer-one");
  const answer = await farm.app.inject({ url: notificationList.path, headers: { authorization } });
  const list = answer.json<Notification[]>();
  expect(parse(Type.Array(Notification), list).ok).toBe(true);
  expect(list).toHaveLength(100);
  expect(list[0]).toMatchObject({
    type: "BATTERY",
    message: "low 104",
    unread: true,
    createdDate: "2026-11-21 12:01:44",
  });
  await eventually(() => expect(received).toHaveLength(106));
  expect(received[0]).toBe(`mulkko/out/${NEIGHBOR}/noti`);
});

test("[notification] marks as read all or none, and only the caller's own", async () => {
  const { authorization } = await farm.signIn("farmer-one");
  const neighbor = await farm.signIn("farmer-two");
  const list = async (header = authorization): Promise<Notification[]> =>
    (await farm.app.inject({ url: notificationList.path, headers: { authorization: header } })).json();
  const read = (payload: object, header = authorization) =>
    farm.app.inject({
      method: "POST",
      url: notificationRead.path,
      headers: { authorization: header },
      payload,
    });
  const unread = async (): Promise<number> => (await list()).filter((one) => one.unread).length;

  const all = await list();
  const ids = all.slice(0, 3).map(({ id }) => id);
  expect((await read({ ids: [...ids, ids[0]] })).statusCode).toBe(204);
  expect(await unread()).toBe(97);
  expect((await read({ ids })).statusCode).toBe(204);
  const [foreign] = await list(neighbor.authorization);
  for (const bad of [[foreign?.id, all[5]?.id], [999_999_999]]) {
    expect((await read({ ids: bad })).json()).toMatchObject({ status: 404, code: "not-found" });
  }
  for (const body of [
    {},
    { ids: [] },
    { ids: ["x"] },
    { ids: [0] },
    { ids: Array(101).fill(1) },
    { ids: [3e9] },
  ]) {
    expect((await read(body)).json()).toMatchObject({ status: 422, code: "validation" });
  }
  expect(await unread()).toBe(97);
  expect((await read({ ids }, "")).statusCode).toBe(401);
});
