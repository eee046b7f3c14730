import { Notification } from "@mulkko/shared/entities/notification";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { expect, test, vi } from "vitest";
import { FARMER, NEIGHBOR, RELAY_KEY, startTestFarm } from "../../testing/test-farm.ts";
import { notify } from "./notify.ts";

test("[notification] is stored, told to the relay, and listed newest first, a hundred at most, to its owner alone", async () => {
  const farm = await startTestFarm();
  const { database, ingest } = farm.app;
  const parts = { database, outputs: ingest.outputs, zone: createApiTimeZone("Asia/Seoul") };
  const relay = await farm.connect({ username: "relay", password: RELAY_KEY });
  const heard: string[] = [];
  relay.on("message", (topic) => heard.push(topic));
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
  const answer = await farm.app.inject({ url: "/api/v1/noti/list", headers: { authorization } });
  const list = answer.json<Notification[]>();
  expect(parse(Type.Array(Notification), list).ok).toBe(true);
  expect(list).toHaveLength(100);
  expect(list[0]).toMatchObject({
    type: "BATTERY",
    message: "low 104",
    unread: true,
    createdDate: "2026-11-21 12:01:44",
  });
  await vi.waitFor(() => expect(heard).toHaveLength(106));
  expect(heard[0]).toBe(`mulkko/out/${NEIGHBOR}/noti`);
  await farm.close();
});
