// This file is long because the whole contract is one table: the valid call of each operation, and the
// objects it must not access.

import {
  accountImage,
  accountInfo,
  accountLogin,
  accountLogout,
  accountUpdate,
  capabilityList,
  contactSend,
  ownPassword,
  recoverBegin,
  recoverConfirm,
  sessionEnd,
  sessionList,
  setupBegin,
  setupRead,
  tokenRefresh,
} from "@mulkko/shared/rest/operations/account";
import {
  adminAudit,
  adminBackup,
  adminBackups,
  adminChangePassword,
  adminClusters,
  adminCommands,
  adminContacts,
  adminDevices,
  adminKnocks,
  adminOutbox,
  adminSensorAdd,
  adminSensorDelete,
  adminSensors,
  adminSensorUpdate,
  adminSerialFree,
  adminSignIns,
  adminTrash,
  adminUser,
  adminUserDelete,
  adminUserRegister,
  adminUserRestore,
  adminUsers,
  adminUserUpdate,
  importBegin,
  importCancel,
  importProgress,
} from "@mulkko/shared/rest/operations/admin";
import {
  channelDelete,
  channelMoisture,
  channelSensorRemove,
  channelState,
  controllerAdd,
  controllerCommand,
  controllerDelete,
  controllerImage,
  controllerList,
  controllerRead,
  controllerUpdate,
  modeEnable,
  periodAdd,
  periodRead,
  periodUpdate,
  reservationAdd,
  reservationRead,
  reservationUpdate,
  sensorCommand,
  triggerAdd,
  triggerRead,
  triggerUpdate,
} from "@mulkko/shared/rest/operations/controllers";
import { deadLetters, deviceKeyRenew, deviceProfiles } from "@mulkko/shared/rest/operations/devices";
import { clusterAdd, clusterDelete, clusterList, clusterUpdate } from "@mulkko/shared/rest/operations/farms";
import {
  cotLog,
  latestOfMany,
  latestReceived,
  latestStored,
  logRange,
} from "@mulkko/shared/rest/operations/logs";
import { notificationList, notificationRead } from "@mulkko/shared/rest/operations/notifications";
import type { Operation } from "@mulkko/shared/rest/operations/operation";
import { pathTo } from "@mulkko/shared/rest/operations/operation";
import {
  relayAccess,
  relayAccounts,
  relayAudit,
  relaySession,
  relayStorage,
} from "@mulkko/shared/rest/operations/relay-calls";
import {
  sensorAdd,
  sensorDelete,
  sensorImage,
  sensorList,
  sensorListOfType,
  sensorRead,
  sensorUpdate,
  widgetList,
} from "@mulkko/shared/rest/operations/sensors";
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
const importCase: Case = {
  ...asAdmin,
  mine: async ({ farm, tokenOf }) => ({ id: await beginImport(farm, await tokenOf("overseer")) }),
  theirs: userIds,
};

/** Return a case for every method of an operation, by its name in the document. */
function casesOf({ methods, path }: Operation, how: Case = {}): Record<string, Case> {
  return Object.fromEntries(methods.map((method) => [`${method} ${documentedPath(path)}`, how]));
}

/** Return a path as the document writes it, such as `/api/v1/sensor/read/{id}`. */
export const documentedPath = (path: string): string => path.replaceAll(/:(\w+)/g, "{$1}");

/** Return the cases of one mode's setting. */
const modeCases = (kind: keyof typeof SETTINGS, read: Operation, add: Operation, update: Operation) => ({
  ...casesOf(read, { mine: (walk) => walk.setting(kind), theirs: channelIds() }),
  ...casesOf(add, {
    mine: (walk) => walk.channel(),
    theirs: channelIds(),
    body: () => SETTINGS[kind],
  }),
  ...casesOf(update, settingIds(kind)),
});

/** Every operation of the contract, by its name. */
export const CASES: Readonly<Record<string, Case>> = {
  ...casesOf(accountLogin, { body: () => ({ username: "farmer-two", password: PASSWORD }) }),
  ...casesOf(accountInfo),
  ...casesOf(accountLogout, {
    headers: async ({ farm }) => ({ authorization: (await farm.signIn("farmer-one")).authorization }),
  }),
  ...casesOf(tokenRefresh, {
    headers: async ({ farm }) => ({
      refreshtoken: (await farm.signIn("farmer-two")).pair.refreshToken ?? "",
    }),
  }),
  ...casesOf(accountUpdate, {
    mine: () => ({ id: FARMER }),
    theirs: [{ id: NEIGHBOR }, { id: ADMIN }, { id: UNKNOWN_ID }, { id: "x" }],
    body: () => ({ ...PROFILE, language: "en", timezone: "Asia/Seoul", emailNotification: true }),
  }),
  ...casesOf(accountImage, { isPicture: true }),
  ...casesOf(contactSend, { body: () => ({ name: "Kim", title: "Hello", message: "Water" }) }),
  // Refused: the walk continues with the current password.
  ...casesOf(ownPassword, {
    body: () => ({ currentPassword: PASSWORD, newPassword: PASSWORD, confirmPassword: PASSWORD }),
  }),
  ...casesOf(recoverBegin, { body: () => ({ email: "nobody@example.org" }) }),
  ...casesOf(recoverConfirm, {
    // Uses its own account: a new password ends all sessions.
    body: async (walk) => {
      const { id = "" } = await walk.user();
      // Beyond the window of the limit on links.
      walk.farm.clock.advance(11 * 60_000);
      const email = `${id}@example.org`;
      await walk.ask("PUT", pathTo(accountUpdate, { id }), { userAddress: email }, "overseer");
      await walk.ask("POST", recoverBegin.path, { email }, "nobody");
      return { token: await mailedToken(walk.farm.app, email), password: PASSWORD };
    },
  }),
  ...casesOf(sessionList),
  ...casesOf(sessionEnd, {
    mine: (walk) => walk.session(),
    theirs: [{ id: UNKNOWN_ID }, { id: "x" }],
  }),
  ...casesOf(notificationList),
  ...casesOf(notificationRead, {
    body: async (walk) => ({ ids: [await walk.notification()] }),
    theirBody: () => ({ ids: [999_999] }),
  }),
  ...casesOf(capabilityList),
  ...casesOf(setupRead),
  ...casesOf(relaySession, {
    headers: () => ({ relaykey: RELAY_KEY }),
    body: () => ({ userId: FARMER }),
    theirBody: () => ({ userId: UNKNOWN_ID }),
  }),
  ...casesOf(relayAudit, {
    headers: () => ({ relaykey: RELAY_KEY }),
    body: () => ({
      actor: { id: ADMIN, username: "overseer" },
      action: "account-read",
      subject: { kind: "user", id: FARMER },
      at: "2026-11-21T03:00:00Z",
    }),
  }),
  ...casesOf(relayStorage, { headers: () => ({ relaykey: RELAY_KEY }) }),
  ...casesOf(relayAccounts, { headers: () => ({ relaykey: RELAY_KEY }) }),
  ...casesOf(relayAccess, { headers: () => ({ relaykey: RELAY_KEY }) }),
  "GET /images/{name}": {
    mine: (walk) => walk.image(),
    theirs: [{ name: "../relay-key" }, { name: "x.png" }],
  },

  ...casesOf(clusterList),
  ...casesOf(clusterAdd, {
    body: (walk) => ({ name: walk.name(), description: "", sensors: [SOIL.id] }),
    theirBody: (walk) => ({ name: walk.name(), sensors: [FOREIGN.id] }),
  }),
  ...casesOf(clusterUpdate, {
    mine: (walk) => walk.cluster(),
    theirs: farmIds,
    body: (walk) => ({ name: walk.name() }),
  }),
  ...casesOf(clusterDelete, { mine: (walk) => walk.cluster(), theirs: farmIds }),

  ...casesOf(sensorList),
  ...casesOf(sensorListOfType, { mine: () => ({ deviceType: "SMS" }) }),
  ...casesOf(widgetList),
  ...casesOf(sensorAdd, {
    body: sensorBody,
    theirBody: (walk) => ({ ...sensorBody(walk), clusterId: 2 }),
  }),
  ...casesOf(sensorUpdate, {
    mine: (walk) => walk.sensor(),
    theirs: sensorIds(),
    body: (walk) => ({ name: walk.name(), deviceType: "SMS", widget: true }),
    theirBody: () => ({ deviceType: "SMS", clusterId: 2 }),
  }),
  ...casesOf(sensorImage, {
    mine: () => ({ id: SOIL.id }),
    theirs: sensorIds(),
    isPicture: true,
  }),
  ...casesOf(sensorDelete, {
    mine: (walk) => walk.sensor(),
    theirs: sensorIds(),
  }),
  ...casesOf(sensorRead, { mine: () => ({ id: SOIL.id }), theirs: sensorIds() }),
  ...casesOf(logRange, {
    mine: () => ({ id: SOIL.id, ...RANGE }),
    theirs: sensorIds(RANGE),
  }),
  ...casesOf(cotLog, {
    mine: () => ({ id: COT.id, channel: 1, ...RANGE }),
    theirs: sensorIds({ channel: 1, ...RANGE }),
  }),
  ...casesOf(latestStored, { mine: () => ({ id: SOIL.id }), theirs: sensorIds() }),
  ...casesOf(latestReceived, { mine: () => ({ id: SOIL.id }), theirs: sensorIds() }),
  ...casesOf(latestOfMany, { query: { ids: `${SOIL.id},${COT.id}` } }),
  ...casesOf(deviceProfiles),
  ...casesOf(deviceKeyRenew, { mine: (walk) => walk.sensor(), theirs: sensorIds() }),
  ...casesOf(deadLetters, { mine: (walk) => walk.sensor(), theirs: sensorIds() }),

  ...casesOf(controllerList),
  ...casesOf(controllerAdd, {
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
  }),
  ...casesOf(controllerRead, { mine: () => ({ id: VALVES.id }), theirs: controllerIds }),
  ...casesOf(controllerUpdate, {
    mine: (walk) => walk.controller(),
    theirs: controllerIds,
    body: (walk) => ({ serial: walk.serial(), name: walk.name(), channels: [{ channelNumber: 2 }] }),
  }),
  ...casesOf(controllerDelete, { mine: (walk) => walk.controller(), theirs: controllerIds }),
  ...casesOf(controllerImage, {
    mine: () => ({ id: VALVES.id }),
    theirs: controllerIds,
    isPicture: true,
  }),
  ...casesOf(channelState, {
    mine: (walk) => walk.channel(),
    theirs: [
      { serial: FOREIGN_VALVES.serial, channelId: THEIR_CHANNEL },
      { serial: VALVES.serial, channelId: THEIR_CHANNEL },
      { serial: "x", channelId: 1 },
    ],
  }),
  ...casesOf(channelMoisture, { mine: (walk) => walk.channel(), theirs: channelIds() }),
  ...casesOf(channelDelete, { mine: (walk) => walk.channel(), theirs: channelIds() }),
  ...casesOf(channelSensorRemove, {
    mine: (walk) => walk.channel(),
    theirs: [...channelIds({ sensorId: SOIL.id }), { channelId: 1, sensorId: FOREIGN.id }],
  }),
  ...casesOf(modeEnable, {
    mine: (walk) => walk.setting("period"),
    theirs: channelIds(),
    body: () => ({ active: "period" }),
  }),
  ...modeCases("trigger", triggerRead, triggerAdd, triggerUpdate),
  ...modeCases("reservation", reservationRead, reservationAdd, reservationUpdate),
  ...modeCases("period", periodRead, periodAdd, periodUpdate),
  ...casesOf(controllerCommand, {
    body: () => open(VALVES.id),
    theirBody: () => open(FOREIGN_VALVES.id),
  }),
  ...casesOf(sensorCommand, { body: () => open(COT.id), theirBody: () => open(FOREIGN_VALVES.id) }),

  ...casesOf(adminSensors, { ...asAdmin, query: { page: "1", size: "5", q: "SMS" } }),
  ...casesOf(adminSensorAdd, {
    ...asAdmin,
    body: (walk) => ({ userId: NEIGHBOR, ...sensorBody(walk) }),
    theirBody: (walk) => ({ userId: NEIGHBOR, ...sensorBody(walk), clusterId: 1 }),
  }),
  ...casesOf(adminSensorUpdate, {
    ...asAdmin,
    body: async (walk) => ({ ...(await walk.sensor()), deviceType: "SMS", name: walk.name() }),
    theirBody: () => ({ id: UNKNOWN_ID, deviceType: "SMS" }),
  }),
  ...casesOf(adminSensorDelete, {
    ...asAdmin,
    mine: (walk) => walk.sensor(),
    theirs: userIds,
  }),
  ...casesOf(adminDevices, { ...asAdmin, query: { page: "1", size: "5" } }),
  ...casesOf(adminKnocks, asAdmin),
  ...casesOf(adminUsers, { ...asAdmin, query: { page: "1", size: "5", sort: "username,desc" } }),
  ...casesOf(adminUser, { ...asAdmin, mine: () => ({ id: FARMER }), theirs: userIds }),
  ...casesOf(adminUserRegister, {
    ...asAdmin,
    body: (walk) => ({ username: `walked${walk.serial()}`, password: PASSWORD, ...PROFILE }),
  }),
  ...casesOf(adminUserUpdate, {
    ...asAdmin,
    mine: (walk) => walk.user(),
    theirs: userIds,
    body: () => ({ nickname: "Changed" }),
  }),
  ...casesOf(adminChangePassword, {
    ...asAdmin,
    mine: (walk) => walk.user(),
    theirs: userIds,
    body: () => ({ newPassword: "new+Field2", confirmPassword: "new+Field2" }),
  }),
  ...casesOf(adminTrash, asAdmin),
  ...casesOf(adminSerialFree, {
    ...asAdmin,
    async mine(walk) {
      const { id = "" } = await walk.user();
      const serial = walk.serial();
      const sensor = { userId: id, name: walk.name(), serial, deviceType: "SMS" };
      await walk.ask("POST", adminSensorAdd.path, sensor, "overseer");
      await walk.ask("DELETE", pathTo(adminUserDelete, { id }), undefined, "overseer");
      return { serial };
    },
  }),
  ...casesOf(adminUserRestore, {
    ...asAdmin,
    mine: async (walk) => {
      const { id = "" } = await walk.user();
      await walk.ask("DELETE", pathTo(adminUserDelete, { id }), undefined, "overseer");
      return { id };
    },
    theirs: userIds,
  }),
  ...casesOf(adminUserDelete, {
    ...asAdmin,
    mine: (walk) => walk.user(),
    theirs: userIds,
  }),
  ...casesOf(adminClusters, { ...asAdmin, query: { userId: FARMER } }),
  ...casesOf(adminContacts, asAdmin),
  ...casesOf(adminAudit, asAdmin),
  ...casesOf(adminSignIns, asAdmin),
  ...casesOf(adminCommands, asAdmin),
  ...casesOf(adminBackup, asAdmin),
  ...casesOf(adminBackups, asAdmin),
  ...casesOf(adminOutbox, asAdmin),
  ...casesOf(importProgress, importCase),
  ...casesOf(importCancel, importCase),
};

/** Operations that have their own test, and why. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  [`POST ${importBegin.path}`]: "takes a file and its mapping: import/routes.test.ts",
  [`POST ${setupBegin.path}`]: "needs a farm without accounts: setup/routes.test.ts",
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
