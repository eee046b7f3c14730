// This file is long because the whole contract is one table: the valid call of each operation, and the
// objects it must not access.
import { beginImport } from "../import/import-form.ts";
import {
  ADMIN,
  COT,
  FARMER,
  FOREIGN,
  FOREIGN_VALVES,
  NEIGHBOR,
  PASSWORD,
  RELAY_KEY,
  SOIL,
  VALVES,
} from "../test-farm.ts";
import { type Params, PROFILE, SETTINGS, type Walk } from "./walk.ts";

/** A call of one operation. */
export interface Case {
  /** The caller; `overseer` is the administrator. By default the farmer. */
  readonly who?: "farmer-one" | "overseer";
  /** Path values that the caller may use; created for each call. */
  readonly mine?: (walk: Walk) => Promise<Params> | Params;
  /** Path values of another account's objects, and of missing objects: 404 each. */
  readonly theirs?: readonly Params[];
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: (
    walk: Walk,
  ) => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
  /** A valid body. */
  readonly body?: (walk: Walk, params: Params) => Promise<object> | object;
  /** A body that names another account's object: refused with 404 or 422. */
  readonly theirBody?: (walk: Walk) => object;
  readonly isPicture?: true;
}

const UNKNOWN_ID = "99999999-0000-4000-8000-000000000009";
/** Channels 1 and 2 are the farmer's, 3 and 4 the neighbor's. */
const THEIR_CHANNEL = 3;
const NO_CHANNEL = 999_999;
const RANGE = { start: "2026-11-01", end: "2026-11-30" };

const sensorIds = (more: Params = {}) => [FOREIGN.id, UNKNOWN_ID, "1 or 1=1"].map((id) => ({ id, ...more }));
const controllerIds = [FOREIGN_VALVES.id, UNKNOWN_ID, "../etc"].map((id) => ({ id }));
const farmIds = [2, 999_999, "x"].map((id) => ({ id }));
const channelIds = (more: Params = {}) =>
  [THEIR_CHANNEL, NO_CHANNEL, "x"].map((channelId) => ({ channelId, ...more }));
const userIds = [UNKNOWN_ID, "x"].map((id) => ({ id }));
const settingIds = (kind: keyof typeof SETTINGS): Case => ({
  mine: (walk) => walk.setting(kind),
  theirs: [
    { channelId: THEIR_CHANNEL, id: 1 },
    { channelId: 1, id: 999_999 },
  ],
  body: () => SETTINGS[kind],
});

const sensorBody = (walk: Walk) => ({
  name: walk.name(),
  serial: walk.serial(),
  deviceType: "SMS",
  latitude: 37.1,
  longitude: 127.2,
});
const open = (uuid: string) => ({
  uuid,
  command: "onoff",
  deviceType: "controller",
  channel: 1,
  payload: 2,
});
const asAdmin = { who: "overseer" } as const;

/** Return the same case for several methods. */
function each(methods: readonly string[], path: string, how: Case): Record<string, Case> {
  return Object.fromEntries(methods.map((method) => [`${method} ${path}`, how]));
}
const PUT_OR_POST = ["PUT", "POST"];
const DELETE_OR_POST = ["DELETE", "POST"];

/** Every operation of the contract, by its name. */
export const CASES: Readonly<Record<string, Case>> = {
  "POST /api/account/login": { body: () => ({ username: "farmer-two", password: PASSWORD }) },
  "GET /api/account/info": {},
  "GET /api/account/logout": {
    headers: async ({ farm }) => ({ authorization: (await farm.signIn("farmer-one")).authorization }),
  },
  ...each(PUT_OR_POST, "/api/account/update/refresh", {
    headers: async ({ farm }) => ({
      refreshtoken: (await farm.signIn("farmer-two")).pair.refreshToken ?? "",
    }),
  }),
  ...each(PUT_OR_POST, "/api/account/update/{id}", {
    mine: () => ({ id: FARMER }),
    theirs: [{ id: NEIGHBOR }, { id: ADMIN }, { id: UNKNOWN_ID }, { id: "x" }],
    body: () => ({ ...PROFILE, language: "en", timezone: "Asia/Seoul", emailNotification: true }),
  }),
  ...each(PUT_OR_POST, "/api/account/update/image", { isPicture: true }),
  "POST /api/account/contact": { body: () => ({ name: "Kim", title: "Hello", message: "Water" }) },
  // Refused: the walk continues with the current password.
  "POST /api/account/password": {
    body: () => ({ currentPassword: PASSWORD, newPassword: PASSWORD, confirmPassword: PASSWORD }),
  },
  "POST /api/account/recover": { body: () => ({ email: "nobody@example.org" }) },
  "POST /api/account/recover/confirm": {
    // Uses its own account: a new password ends all sessions.
    body: async (walk) => {
      const { id = "" } = await walk.user();
      // Beyond the window of the limit on links.
      walk.farm.clock.advance(11 * 60_000);
      const email = `${id}@example.org`;
      await walk.ask("PUT", `/api/account/update/${id}`, { userAddress: email }, "overseer");
      await walk.ask("POST", "/api/account/recover", { email }, "nobody");
      return { token: await mailedToken(walk.farm.app, email), password: PASSWORD };
    },
  },
  "GET /api/v1/session": {},
  "DELETE /api/v1/session/{id}": {
    mine: (walk) => walk.session(),
    theirs: [{ id: UNKNOWN_ID }, { id: "x" }],
  },
  "GET /api/v1/noti/list": {},
  "POST /api/v1/noti/read": {
    body: async (walk) => ({ ids: [await walk.notification()] }),
    theirBody: () => ({ ids: [999_999] }),
  },
  "GET /api/v1/capabilities": {},
  "GET /api/v1/setup": {},
  "POST /api/v1/relay/session": {
    headers: () => ({ relaykey: RELAY_KEY }),
    body: () => ({ userId: FARMER }),
    theirBody: () => ({ userId: UNKNOWN_ID }),
  },
  "POST /api/v1/relay/audit": {
    headers: () => ({ relaykey: RELAY_KEY }),
    body: () => ({
      actor: { id: ADMIN, username: "overseer" },
      action: "account-read",
      subject: { kind: "user", id: FARMER },
      at: "2026-11-21T03:00:00Z",
    }),
  },
  "GET /api/v1/relay/storage": { headers: () => ({ relaykey: RELAY_KEY }) },
  "GET /api/v1/relay/access": { headers: () => ({ relaykey: RELAY_KEY }) },
  "GET /images/{name}": {
    mine: (walk) => walk.image(),
    theirs: [{ name: "../relay-key" }, { name: "x.png" }],
  },

  "GET /api/v1/cluster/list": {},
  "POST /api/v1/cluster/add": {
    body: (walk) => ({ name: walk.name(), description: "", sensors: [SOIL.id] }),
    theirBody: (walk) => ({ name: walk.name(), sensors: [FOREIGN.id] }),
  },
  ...each(PUT_OR_POST, "/api/v1/cluster/update/{id}", {
    mine: (walk) => walk.cluster(),
    theirs: farmIds,
    body: (walk) => ({ name: walk.name() }),
  }),
  ...each(DELETE_OR_POST, "/api/v1/cluster/delete/{id}", { mine: (walk) => walk.cluster(), theirs: farmIds }),

  "GET /api/v1/sensor/list": {},
  "GET /api/v1/sensor/list/{deviceType}": { mine: () => ({ deviceType: "SMS" }) },
  "GET /api/v1/sensor/widget/list": {},
  "POST /api/v1/sensor/add": {
    body: sensorBody,
    theirBody: (walk) => ({ ...sensorBody(walk), clusterId: 2 }),
  },
  ...each(PUT_OR_POST, "/api/v1/sensor/update/{id}", {
    mine: (walk) => walk.sensor(),
    theirs: sensorIds(),
    body: (walk) => ({ name: walk.name(), deviceType: "SMS", widget: true }),
    theirBody: () => ({ deviceType: "SMS", clusterId: 2 }),
  }),
  ...each(PUT_OR_POST, "/api/v1/sensor/update/{id}/image", {
    mine: () => ({ id: SOIL.id }),
    theirs: sensorIds(),
    isPicture: true,
  }),
  ...each(DELETE_OR_POST, "/api/v1/sensor/delete/{id}", {
    mine: (walk) => walk.sensor(),
    theirs: sensorIds(),
  }),
  "GET /api/v1/sensor/read/{id}": { mine: () => ({ id: SOIL.id }), theirs: sensorIds() },
  "GET /api/v1/sensor/read/log/{id}/{start}/{end}": {
    mine: () => ({ id: SOIL.id, ...RANGE }),
    theirs: sensorIds(RANGE),
  },
  "GET /api/v1/sensor/read/log/cot/{id}/ch/{channel}/{start}/{end}": {
    mine: () => ({ id: COT.id, channel: 1, ...RANGE }),
    theirs: sensorIds({ channel: 1, ...RANGE }),
  },
  "GET /api/v1/sensor/read/log/{id}/latest": { mine: () => ({ id: SOIL.id }), theirs: sensorIds() },
  "GET /api/v1/sensor/read/log/{id}/latest/mqtt": { mine: () => ({ id: SOIL.id }), theirs: sensorIds() },
  "GET /api/v1/sensor/latest": { query: { ids: `${SOIL.id},${COT.id}` } },
  "GET /api/v1/device/profiles": {},
  "POST /api/v1/device/{id}/key": { mine: (walk) => walk.sensor(), theirs: sensorIds() },
  "GET /api/v1/device/{id}/dead-letters": { mine: (walk) => walk.sensor(), theirs: sensorIds() },

  "GET /api/v1/controller": {},
  "POST /api/v1/controller": {
    body: (walk) => ({
      type: "CON04V",
      serial: walk.serial(),
      name: walk.name(),
      channels: [{ channelNumber: 1, sensorIds: [SOIL.id] }],
    }),
    theirBody: (walk) => ({
      type: "CON04V",
      serial: walk.serial(),
      name: walk.name(),
      channels: [{ channelNumber: 1, sensorIds: [FOREIGN.id] }],
    }),
  },
  "GET /api/v1/controller/{id}": { mine: () => ({ id: VALVES.id }), theirs: controllerIds },
  ...each(PUT_OR_POST, "/api/v1/controller/{id}", {
    mine: (walk) => walk.controller(),
    theirs: controllerIds,
    body: (walk) => ({ serial: walk.serial(), name: walk.name(), channels: [{ channelNumber: 2 }] }),
  }),
  "DELETE /api/v1/controller/{id}": { mine: (walk) => walk.controller(), theirs: controllerIds },
  ...each(PUT_OR_POST, "/api/v1/controller/{id}/image", {
    mine: () => ({ id: VALVES.id }),
    theirs: controllerIds,
    isPicture: true,
  }),
  "GET /api/v1/controller/{serial}/channel/{channelId}/refresh": {
    mine: (walk) => walk.channel(),
    theirs: [
      { serial: FOREIGN_VALVES.serial, channelId: THEIR_CHANNEL },
      { serial: VALVES.serial, channelId: THEIR_CHANNEL },
      { serial: "x", channelId: 1 },
    ],
  },
  "GET /api/v1/sensor/channel/{channelId}/moisture": { mine: (walk) => walk.channel(), theirs: channelIds() },
  "DELETE /api/v1/sensor/channel/{channelId}": { mine: (walk) => walk.channel(), theirs: channelIds() },
  "DELETE /api/v1/sensor/channel/{channelId}/sensor/{sensorId}": {
    mine: (walk) => walk.channel(),
    theirs: [...channelIds({ sensorId: SOIL.id }), { channelId: 1, sensorId: FOREIGN.id }],
  },
  ...each(PUT_OR_POST, "/api/v1/controller/channel/{channelId}/mode", {
    mine: (walk) => walk.setting("period"),
    theirs: channelIds(),
    body: () => ({ active: "period" }),
  }),
  ...Object.assign(
    {},
    ...(["trigger", "reservation", "period"] as const).map((kind) => ({
      [`GET /api/v1/controller/channel/{channelId}/${kind}`]: {
        mine: (walk: Walk) => walk.setting(kind),
        theirs: channelIds(),
      },
      [`POST /api/v1/controller/channel/{channelId}/${kind}`]: {
        mine: (walk: Walk) => walk.channel(),
        theirs: channelIds(),
        body: () => SETTINGS[kind],
      },
      ...each(PUT_OR_POST, `/api/v1/controller/channel/{channelId}/${kind}/{id}`, settingIds(kind)),
    })),
  ),
  "POST /api/v1/controller/cmd": {
    body: () => open(VALVES.id),
    theirBody: () => open(FOREIGN_VALVES.id),
  },
  "POST /api/v1/sensor/cmd": { body: () => open(COT.id), theirBody: () => open(FOREIGN_VALVES.id) },

  "GET /api/v1/admin/sensors": { ...asAdmin, query: { page: "1", size: "5", q: "SMS" } },
  "POST /api/v1/admin/sensor/add": {
    ...asAdmin,
    body: (walk) => ({ userId: NEIGHBOR, ...sensorBody(walk) }),
    theirBody: (walk) => ({ userId: NEIGHBOR, ...sensorBody(walk), clusterId: 1 }),
  },
  ...each(PUT_OR_POST, "/api/v1/admin/sensor/update", {
    ...asAdmin,
    body: async (walk) => ({ ...(await walk.sensor()), deviceType: "SMS", name: walk.name() }),
    theirBody: () => ({ id: UNKNOWN_ID, deviceType: "SMS" }),
  }),
  ...each(DELETE_OR_POST, "/api/v1/admin/sensor/delete/{id}", {
    ...asAdmin,
    mine: (walk) => walk.sensor(),
    theirs: userIds,
  }),
  "GET /api/v1/admin/devices": { ...asAdmin, query: { page: "1", size: "5" } },
  "GET /api/v1/admin/knocks": asAdmin,
  "GET /api/v1/admin/users": { ...asAdmin, query: { page: "1", size: "5", sort: "username,desc" } },
  "GET /api/v1/admin/user/info/{id}": { ...asAdmin, mine: () => ({ id: FARMER }), theirs: userIds },
  "POST /api/v1/admin/user/register": {
    ...asAdmin,
    body: (walk) => ({ username: `walked${walk.serial()}`, password: PASSWORD, ...PROFILE }),
  },
  ...each(PUT_OR_POST, "/api/v1/admin/user/update/{id}", {
    ...asAdmin,
    mine: (walk) => walk.user(),
    theirs: userIds,
    body: () => ({ nickname: "Changed" }),
  }),
  ...each(PUT_OR_POST, "/api/v1/admin/user/changepassword/{id}", {
    ...asAdmin,
    mine: (walk) => walk.user(),
    theirs: userIds,
    body: () => ({ newPassword: "new+Field2", confirmPassword: "new+Field2" }),
  }),
  "GET /api/v1/admin/trash": asAdmin,
  "POST /api/v1/admin/user/restore/{id}": {
    ...asAdmin,
    mine: async (walk) => {
      const { id = "" } = await walk.user();
      await walk.ask("DELETE", `/api/v1/admin/user/delete/${id}`, undefined, "overseer");
      return { id };
    },
    theirs: userIds,
  },
  ...each(DELETE_OR_POST, "/api/v1/admin/user/delete/{id}", {
    ...asAdmin,
    mine: (walk) => walk.user(),
    theirs: userIds,
  }),
  "GET /api/v1/admin/clusters": { ...asAdmin, query: { userId: FARMER } },
  "GET /api/v1/admin/contacts": asAdmin,
  "GET /api/v1/admin/audit": asAdmin,
  "GET /api/v1/admin/sign-ins": asAdmin,
  "GET /api/v1/admin/commands": asAdmin,
  "GET /api/v1/admin/backup": asAdmin,
  "GET /api/v1/admin/backups": asAdmin,
  "GET /api/v1/admin/outbox": asAdmin,
  ...each(["GET", "DELETE"], "/api/v1/admin/import/{id}", {
    ...asAdmin,
    mine: async ({ farm, tokenOf }) => ({ id: await beginImport(farm, await tokenOf("overseer")) }),
    theirs: userIds,
  }),
};

/** Operations that have their own test, and why. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  "POST /api/v1/admin/import": "takes a file and its mapping: import/routes.test.ts",
  "POST /api/v1/setup": "needs a farm without accounts: modules/setup/routes.test.ts",
};

async function mailedToken(app: Walk["farm"]["app"], email: string): Promise<string> {
  for (let n = 0; n < 100; n += 1) {
    const [mail] = await app.database.query<{ body: string }>(
      "select body from outbox where recipient = $1",
      [email],
    );
    const token = /[?&]token=([\w-]+)/.exec(mail?.body ?? "")?.[1];
    if (token) return token;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("no mail came");
}
