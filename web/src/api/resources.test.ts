// One long table: each call of the client with its request.
import { describe, expect, it } from "vitest";
import {
  confirmRecovery,
  endSession,
  fetchSessions,
  requestRecovery,
  updateAccount,
  updateAccountImage,
} from "./account.ts";
import { addSensorFor, deleteAnySensor, fetchFarmsOf, updateAnySensor } from "./admin-sensors.ts";
import { changePassword, deleteUser, fetchUser, registerUser, updateUser } from "./admin-users.ts";
import { acknowledgeAlarm, closeIn, endSnooze, fetchPastAlarms, snoozeAlarm } from "./alarms.ts";
import type { RestClient } from "./client.ts";
import { closeAll } from "./commands.ts";
import { sendContact } from "./contact.ts";
import {
  addController,
  deleteChannel,
  deleteController,
  refreshChannel,
  removeChannelSensor,
  updateController,
  updateControllerImage,
} from "./controllers.ts";
import { addFarm, deleteFarm, updateFarm } from "./farms.ts";
import type { Call } from "./http.ts";
import { readNotifications } from "./notifications.ts";
import { addSensor, deleteSensor, renewDeviceKey, updateSensor, updateSensorImage } from "./sensors.ts";
import { adoptExternal, changeChannelSettings, changeRunCap, fetchSettings } from "./settings.ts";
import { fetchPreview, fetchWaterings } from "./waterings.ts";
import { fetchWeather } from "./weather.ts";

type Sent = Pick<Call<never>, "method" | "path" | "body" | "form" | "file" | "headers">;

/** Create a client with a fixed answer that records the requests. */
function createRecorder(answer: unknown = null): { rest: RestClient; sent: Sent[] } {
  const sent: Sent[] = [];
  const rest: RestClient = {
    call(call) {
      sent.push(call as never);
      return Promise.resolve(answer as never);
    },
  };
  return { rest, sent };
}

const { signal } = new AbortController();
const picture = new Blob(["x"], { type: "image/png" });
const image = { name: "image", file: picture };
const added = { serial: "1", name: "b", type: "CON04V" };
const at = Date.UTC(2026, 10, 22, 6);

const CALLS: readonly (readonly [string, (rest: RestClient) => Promise<unknown>, Sent])[] = [
  [
    "an account",
    (rest) => updateAccount(rest, "a", { nickname: "b" }),
    { method: "PUT", path: "/api/account/update/a", body: { nickname: "b" } },
  ],
  [
    "an account's picture",
    (rest) => updateAccountImage(rest, picture),
    { method: "PUT", path: "/api/account/update/image", file: image as never },
  ],
  [
    "a password",
    (rest) => changePassword(rest, "a", "12345"),
    {
      method: "PUT",
      path: "/api/v1/admin/user/changepassword/a",
      body: { newPassword: "12345", confirmPassword: "12345" },
    },
  ],
  [
    "an account of another",
    (rest) => fetchUser(rest, "a", signal),
    { method: "GET", path: "/api/v1/admin/user/info/a" },
  ],
  [
    "a new account",
    (rest) => registerUser(rest, { username: "farmer-nine", password: "12345678" }, "key-1"),
    {
      method: "POST",
      path: "/api/v1/admin/user/register",
      body: { username: "farmer-nine", password: "12345678" },
    },
  ],
  [
    "another account's change",
    (rest) => updateUser(rest, "a", { disabled: true }),
    { method: "PUT", path: "/api/v1/admin/user/update/a", body: { disabled: true } },
  ],
  [
    "another account's end",
    (rest) => deleteUser(rest, "a"),
    { method: "DELETE", path: "/api/v1/admin/user/delete/a" },
  ],
  ["sessions", (rest) => fetchSessions(rest, signal), { method: "GET", path: "/api/v1/session" }],
  [
    "the end of a session",
    (rest) => endSession(rest, "s/1"),
    { method: "DELETE", path: "/api/v1/session/s%2F1" },
  ],
  [
    "a recovery",
    (rest) => requestRecovery(rest, "a@b.kr"),
    { method: "POST", path: "/api/account/recover", body: { email: "a@b.kr" } },
  ],
  [
    "a recovered password",
    (rest) => confirmRecovery(rest, "t", "12345678"),
    { method: "POST", path: "/api/account/recover/confirm", body: { token: "t", password: "12345678" } },
  ],
  [
    "a contact message",
    (rest) => sendContact(rest, { name: "a", title: "b" }),
    { method: "POST", path: "/api/account/contact", form: { name: "a", title: "b" } },
  ],
  [
    "read notifications",
    (rest) => readNotifications(rest, [1, 2]),
    { method: "POST", path: "/api/v1/noti/read", body: { ids: [1, 2] } },
  ],
  [
    "a farm with sensors",
    (rest) => addFarm(rest, { name: "a", description: "", sensors: ["s"] }, "k"),
    { method: "POST", path: "/api/v1/cluster/add", form: { name: "a", description: "", sensors: ["s"] } },
  ],
  [
    "a farm without",
    (rest) => addFarm(rest, { name: "a", description: "", sensors: [] }, "k"),
    { method: "POST", path: "/api/v1/cluster/add", form: { name: "a", description: "", sensors: undefined } },
  ],
  [
    "a farm's name",
    (rest) => updateFarm(rest, 3, { name: "a" }),
    { method: "PUT", path: "/api/v1/cluster/update/3", form: { name: "a" } },
  ],
  ["a farm's end", (rest) => deleteFarm(rest, 3), { method: "POST", path: "/api/v1/cluster/delete/3" }],
  [
    "a sensor",
    (rest) => addSensor(rest, { name: "a", serial: "1" }, "k"),
    {
      method: "POST",
      path: "/api/v1/sensor/add",
      form: { name: "a", serial: "1" },
      headers: { "Idempotency-Key": "k" },
    },
  ],
  [
    "a sensor's change",
    (rest) => updateSensor(rest, "s", { deviceType: "SMS" }),
    { method: "PUT", path: "/api/v1/sensor/update/s", form: { deviceType: "SMS" } },
  ],
  [
    "a sensor's picture",
    (rest) => updateSensorImage(rest, "s", picture),
    { method: "PUT", path: "/api/v1/sensor/update/s/image", file: image as never },
  ],
  [
    "a sensor's end",
    (rest) => deleteSensor(rest, "s"),
    { method: "DELETE", path: "/api/v1/sensor/delete/s" },
  ],
  [
    "a sensor for an account",
    (rest) => addSensorFor(rest, "u", { name: "a", serial: "1" }, "k"),
    {
      method: "POST",
      path: "/api/v1/admin/sensor/add",
      form: { userId: "u", name: "a", serial: "1" },
    },
  ],
  [
    "the change of any account's sensor",
    (rest) => updateAnySensor(rest, { id: "s", deviceType: "SMS" }),
    { method: "PUT", path: "/api/v1/admin/sensor/update", form: { id: "s", deviceType: "SMS" } },
  ],
  [
    "the deletion of any account's sensor",
    (rest) => deleteAnySensor(rest, "s"),
    { method: "DELETE", path: "/api/v1/admin/sensor/delete/s" },
  ],
  [
    "an account's farms",
    (rest) => fetchFarmsOf(rest, "u/1", signal),
    { method: "GET", path: "/api/v1/admin/clusters?userId=u%2F1" },
  ],
  [
    "a controller",
    (rest) => addController(rest, added, "k"),
    { method: "POST", path: "/api/v1/controller", body: added },
  ],
  [
    "a controller's change",
    (rest) =>
      updateController(rest, "c", {
        serial: "1",
        name: "b",
        channels: [{ channelNumber: 2, sensorIds: ["s"] }],
      }),
    {
      method: "PUT",
      path: "/api/v1/controller/c",
      body: {
        serial: "1",
        name: "b",
        controllerId: "c",
        channels: [{ channelNumber: 2, controllerId: "c", sensorIds: ["s"] }],
      },
    },
  ],
  [
    "a controller's picture",
    (rest) => updateControllerImage(rest, "c", picture),
    { method: "PUT", path: "/api/v1/controller/c/image", file: image as never },
  ],
  [
    "a controller's end",
    (rest) => deleteController(rest, "c"),
    { method: "DELETE", path: "/api/v1/controller/c" },
  ],
  [
    "a channel's end",
    (rest) => deleteChannel(rest, 7),
    { method: "DELETE", path: "/api/v1/sensor/channel/7" },
  ],
  [
    "a sensor off its channel",
    (rest) => removeChannelSensor(rest, 7, "s"),
    { method: "DELETE", path: "/api/v1/sensor/channel/7/sensor/s" },
  ],
  [
    "a refresh",
    (rest) => refreshChannel(rest, 24110901, 7),
    { method: "GET", path: "/api/v1/controller/24110901/channel/7/refresh" },
  ],
  [
    "past alarms",
    (rest) => fetchPastAlarms(rest, 2, signal),
    { method: "GET", path: "/relay/alarms?past=true&page=2" },
  ],
  [
    "an acknowledgement",
    (rest) => acknowledgeAlarm(rest, "a:1", ""),
    { method: "POST", path: "/relay/alarms/a%3A1/ack", body: {} },
  ],
  [
    "a commented one",
    (rest) => acknowledgeAlarm(rest, "a", "seen"),
    { method: "POST", path: "/relay/alarms/a/ack", body: { comment: "seen" } },
  ],
  [
    "a snooze",
    (rest) => snoozeAlarm(rest, "a", at, "why"),
    {
      method: "POST",
      path: "/relay/alarms/a/snooze",
      body: { until: "2026-11-22T06:00:00.000Z", reason: "why" },
    },
  ],
  ["a snooze's end", (rest) => endSnooze(rest, "a"), { method: "DELETE", path: "/relay/alarms/a/snooze" }],
  [
    "an end for what was opened outside",
    (rest) => closeIn(rest, "a", 10),
    { method: "POST", path: "/relay/alarms/a/close-in", body: { minutes: 10 } },
  ],
  ["settings", (rest) => fetchSettings(rest, signal), { method: "GET", path: "/relay/settings" }],
  [
    "the settings' own",
    (rest) => adoptExternal(rest, true),
    { method: "PUT", path: "/relay/settings", body: { adoptExternal: true } },
  ],
  [
    "a channel's settings",
    (rest) => changeChannelSettings(rest, 7, { flowSensorId: null }),
    { method: "PUT", path: "/relay/channels/7", body: { flowSensorId: null } },
  ],
  [
    "a controller's cap",
    (rest) => changeRunCap(rest, "c", 600),
    { method: "PUT", path: "/relay/controllers/c", body: { maxRunSeconds: 600 } },
  ],
  [
    "waterings",
    (rest) => fetchWaterings(rest, { farm: "1", from: at, limit: 50 }, signal),
    { method: "GET", path: "/relay/waterings?farm=1&from=2026-11-22T06%3A00%3A00.000Z&limit=50" },
  ],
  [
    "what waters next",
    (rest) => fetchPreview(rest, "1", signal),
    { method: "GET", path: "/relay/waterings/preview?farm=1" },
  ],
  [
    "what waters next anywhere",
    (rest) => fetchPreview(rest, null, signal),
    { method: "GET", path: "/relay/waterings/preview" },
  ],
  [
    "the weather here",
    (rest) => fetchWeather(rest, { latitude: 37.5, longitude: 127 }, "ko", signal),
    { method: "GET", path: "/relay/weather?lang=ko&lat=37.5&lon=127" },
  ],
  [
    "the farm's weather",
    (rest) => fetchWeather(rest, null, "zh", signal),
    { method: "GET", path: "/relay/weather?lang=zh" },
  ],
  [
    "close all",
    (rest) => closeAll(rest, "all", "j", null),
    { method: "POST", path: "/relay/farms/all/close-all", headers: { "Idempotency-Key": "j" } },
  ],
];

describe("resources", () => {
  it.each(CALLS)("[rest] sends the request of the contract: %s", async (_name, call, expected) => {
    const { rest, sent } = createRecorder();
    await call(rest);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject(expected);
    for (const part of ["body", "form", "file"] as const) {
      expect(sent[0]?.[part] === undefined, part).toBe(expected[part] === undefined);
    }
  });

  it("[rest] reads a key and an image's path if present, and returns null if missing", async () => {
    const some = { deviceKey: "0f", imagePath: "/images/a.png" };
    expect(await addSensor(createRecorder(some).rest, {}, "k")).toMatchObject({ deviceKey: "0f" });
    expect((await addController(createRecorder(some).rest, added, "k")).key).toMatchObject({
      deviceKey: "0f",
    });
    expect(await renewDeviceKey(createRecorder(some).rest, "s", "key-1")).toMatchObject({ deviceKey: "0f" });
    expect(await updateSensorImage(createRecorder(some).rest, "s", picture)).toBe("/images/a.png");
    const strange = { deviceKey: "0f", mqtt: { host: 7, port: "1883" } };
    expect(await addSensor(createRecorder(strange).rest, {}, "k")).toEqual({ deviceKey: "0f" });
    expect(await renewDeviceKey(createRecorder(strange).rest, "s", "key-1")).toEqual({ deviceKey: "0f" });
    for (const nothing of [null, "", {}, { deviceKey: "" }, { imagePath: 7 }]) {
      expect(await addSensor(createRecorder(nothing).rest, {}, "k")).toBeNull();
      expect(await updateAccountImage(createRecorder(nothing).rest, picture)).toBeNull();
    }
  });
});
