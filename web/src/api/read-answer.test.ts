import { UserEntry } from "@mulkko/shared/rest/admin-user";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { Type } from "typebox";
import { expect, it } from "vitest";
import { BadAnswerError } from "./errors.ts";
import { performCall, readAnswer } from "./http.ts";
import { fetchNotifications } from "./notifications.ts";

const answering = (body: unknown) => () => Promise.resolve(Response.json(body));
const { signal } = new AbortController();

it("[ROW-1] keeps an account with odd fields in the list with its readable fields", () => {
  const user = { ...buildAccount(), disabled: "Y", deviceCount: "3", createdDate: 20_261_121, version: {} };
  const [read] = readAnswer(Type.Array(UserEntry), [user, { nonsense: true }], "/users");
  expect(read).toMatchObject({ id: user.id, disabled: true, deviceCount: 3, createdDate: "20261121" });
  expect(read).not.toHaveProperty("version");
});

it("[ROW-1] keeps the readable rows of a call, and rejects a list without any", async () => {
  const call = {
    method: "GET",
    path: "/noti",
    answer: Type.Array(Type.Object({ type: Type.String() })),
  } as const;
  expect(await performCall(answering([{ type: "RSSI", odd: {} }, 7]), call, null)).toEqual([
    { type: "RSSI", odd: {} },
  ]);
  expect(await performCall(answering([]), call, null)).toEqual([]);
  await expect(performCall(answering([7, 8]), call, null)).rejects.toBeInstanceOf(BadAnswerError);
  await expect(performCall(answering({ type: "RSSI" }), call, null)).rejects.toBeInstanceOf(BadAnswerError);
});

it("[ROW-1] keeps the other notifications if one lacks its text", async () => {
  const good = { id: "3", type: "BATTERY", message: "low", createdDate: "2026-11-21 12:00:00", unread: "Y" };
  const rest = {
    call: (call: Parameters<typeof performCall>[1]) =>
      performCall(answering([good, { ...good, message: null }]), call, null),
  };
  expect(await fetchNotifications(rest as never, signal)).toEqual([{ ...good, unread: true }]);
});
