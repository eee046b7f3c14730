/**
 * One sample of everything that a relay stores and sends to other relays, as this version writes it, with the
 * schema that reads it. `recorded/` has the same from earlier versions (NODE-6). Long because it is
 * one table: only its entries are tested by the rule.
 */

import { Alarm } from "@mulkko/shared/live/alarm";
import { ChannelValue, ControllerValue, FarmValue, SensorValue } from "@mulkko/shared/live/devices";
import { LiveEvent } from "@mulkko/shared/live/events";
import type { Watering } from "@mulkko/shared/live/watering";
import type { LoggedCommand } from "@mulkko/shared/rest/command";
import { BEAT_SLOTS } from "@mulkko/shared/rest/fleet";
import { AccountSettings } from "@mulkko/shared/rest/settings";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { type Static, type TSchema, Type } from "typebox";
import { CachedProof } from "../src/access/token-prover.ts";
import { StoredSession } from "../src/access/vault.ts";
import { ALARM_CALLS } from "../src/alarms/alarm-calls.ts";
import * as Messages from "../src/cluster/messages.ts";
import { type FleetBatch, FleetVerdict } from "../src/fleet/reports.ts";
import { type OwnerCall, wireSchema } from "../src/runtime/owner-call.ts";
import { SETTINGS_CALLS } from "../src/settings/settings-calls.ts";
import { DisplayRecord } from "../src/store/display-record.ts";
import { CommandLogEntry } from "../src/valves/command-log.ts";
import { VALVE_CALLS } from "../src/valves/commands.ts";
import { Intent } from "../src/valves/intent.ts";
import { StoredWatering } from "../src/valves/waterings/watering-registry.ts";
import { ACCEPTED, buildClose, buildOpen, PRESSED } from "./intents.ts";

/** A format that one version writes and another reads. */
export interface Sample {
  readonly name: string;
  readonly schema: TSchema;
  readonly values: readonly unknown[];
}

/** Create a sample. The compiler checks that the values match the schema. */
const sample = <S extends TSchema>(name: string, schema: S, ...values: Static<S>[]): Sample => ({
  name,
  schema,
  values,
});

const AT = "2026-11-21T03:00:00.000Z";
const by = { id: "u1", nickname: "Kim" };
const CONTROLLER = "20000000-0000-4000-8000-000000000001";
const SENSOR = "10000000-0000-4000-8000-000000000001";
const called = { token: "sealed", by, origin: "screen", traceId: "t1", answerWithinMs: 5_000 };
const refused = { ok: false, status: 422, code: "run-too-long", message: "too long" } as const;
/** Every call between relays. */
export const CALLS = [
  VALVE_CALLS,
  ALARM_CALLS,
  SETTINGS_CALLS,
  Messages.ACCOUNT_CALLS,
  Messages.FLEET_CALLS,
].flatMap((calls): OwnerCall[] => Object.values(calls));
/** The schema of work, with that of each call in it. */
const WORK: TSchema = Type.Union([
  Messages.Notice,
  ...CALLS.map((one) =>
    Type.Object({
      kind: Type.Literal("call"),
      id: Type.String(),
      node: Type.String(),
      call: wireSchema(one),
    }),
  ),
]);
const call = (one: { readonly do: string } & Readonly<Record<string, unknown>>) =>
  ({ kind: "call", id: "c1", node: "n1", call: one }) as const;

const watering: Watering = {
  id: "w1",
  channelId: "11",
  cause: "person",
  by,
  start: AT,
  end: AT,
  endReason: "done",
  moistureBefore: 20.5,
  moistureAfter: 31,
  litres: 120,
};
const alarm: Alarm = {
  id: "a1",
  key: `sensor:${SENSOR}`,
  type: "battery",
  priority: 3,
  count: 2,
  active: true,
  raisedAt: AT,
  clearedAt: AT,
  ack: { by, at: AT, comment: "seen" },
  snooze: { until: AT, reason: "later" },
  detail: { battery: 8 },
};
const logged: LoggedCommand = {
  id: "command-1",
  command: "onoff",
  controllerId: CONTROLLER,
  channelId: "11",
  number: 1,
  target: 1,
  state: "confirmed",
  reason: null,
  by,
  origin: "screen",
  traceId: "t1",
  at: AT,
  until: AT,
  steps: [{ state: "accepted", at: AT }],
};

const batch: FleetBatch = {
  node: "n1",
  term: "n2:7",
  reports: [
    {
      account: "1",
      begins: true,
      devices: [
        {
          id: SENSOR,
          kind: "sensor",
          name: "Soil",
          deviceType: "SS01",
          serial: 100_001,
          latitude: 37.5,
          longitude: 127,
          quality: "offline",
          flip: { at: AT, online: false, last: AT },
          battery: 8,
          rssi: -111,
          fwversion: "1.2",
          heardAt: AT,
          beats: { slot: 980_000, text: "1".repeat(BEAT_SLOTS) },
        },
      ],
      gone: ["device:controller:c9"],
      alarms: { count: 1, worst: 2 },
      commands: [],
    },
  ],
  over: ["2"],
};

export const KEPT_SAMPLES: readonly Sample[] = [
  sample(
    "work",
    WORK,
    { kind: "interest", node: "n1", count: 2, keys: [`sensor:${SENSOR}`], tokens: ["sealed"] },
    { kind: "interest", node: "n1", count: 1, keys: null, tokens: [] },
    { kind: "touched", path: "/api/v1/sensor/update/1" },
    call({ do: "load", token: "sealed" }),
    call({
      do: "command",
      ...called,
      commandId: "command-1",
      controllerId: CONTROLLER,
      number: 1,
      command: "onoff",
      payload: 1,
      target: 1,
      maxRunSeconds: 600,
      tokenEndsAt: PRESSED,
      form: "controller",
    }),
    call({ do: "close-all", ...called, jobId: "j1", farmId: "1" }),
    call({ do: "commands", from: 0, to: PRESSED, channelId: "11", farmId: "1" }),
    call({ do: "waterings", since: PRESSED }),
    call({ do: "alarms", which: "past" }),
    call({ do: "acknowledge", id: "a1", by, comment: "seen" }),
    call({ do: "snooze", id: "a1", by, until: PRESSED, reason: "later" }),
    call({ do: "unsnooze", id: "a1", by }),
    call({ do: "close-in", id: "a1", by, minutes: 5 }),
    call({ do: "read-settings" }),
    call({ do: "change-settings", change: { about: "account", adoptExternal: true } }),
    call({ do: "change-settings", change: { about: "controller", id: CONTROLLER, maxRunSeconds: 1_800 } }),
    call({ do: "change-settings", change: { about: "channel", id: "11", flowSensorId: SENSOR } }),
    call({ do: "signed-in", session: "sealed" }),
    call({ do: "watch", wish: "stop" }),
    { kind: "fleet-interest", node: "n1", count: 1, tokens: ["sealed"] },
    { kind: "fleet-touched" },
    call({ do: "fleet-load", token: "sealed" }),
    call({ do: "fleet-tell", batch }),
    call({ do: "fleet-beats", token: "sealed", ids: [`sensor:${SENSOR}`] }),
    call({ do: "own-token" }),
    call({ do: "change-settings", change: { about: "channel", id: "11", name: "Tomatoes" } }),
    call({ do: "waterings", since: PRESSED, watchedSince: true }),
    call({
      do: "withdraw",
      ...called,
      ...{
        commandId: "command-1",
        controllerId: CONTROLLER,
        number: 1,
        command: "onoff",
        payload: 1,
        target: 1,
      },
      form: "controller",
    }),
  ),
  sample("told", Messages.NodeMessage, { kind: "displays" }),
  sample("display", DisplayRecord, {
    id: "d1",
    account: { id: "u1", username: "farmer", nickname: "Kim", timezone: "Asia/Seoul", userType: "USER" },
    settings: {
      name: "Hall",
      farms: ["1"],
      pages: ["overview", "alarms"],
      tiles: [SENSOR],
      turnSeconds: 20,
      diagonalInches: 55,
      distanceMetres: 3,
      language: "ko",
      colorMode: "dark",
      night: { from: "21:00", to: "06:00" },
      sound: true,
      scope: "ack",
    },
    tokenHash: "hash",
    createdAt: PRESSED,
    changedAt: PRESSED,
  }),
  sample("fleet-verdict", FleetVerdict, { term: "n2:7", wanted: true }),
  sample(
    "answer",
    Messages.Answer,
    { kind: "answer", id: "c1", value: true },
    { kind: "answer", id: "c1", failure: { kind: "upstream-down", message: "away" } },
  ),
  sample(
    "command-reply",
    VALVE_CALLS.command.reply,
    { ok: true, record: { commandId: "command-1", state: "accepted", target: 1, until: AT } },
    refused,
  ),
  sample(
    "close-all-reply",
    VALVE_CALLS.closeAll.reply,
    {
      ok: true,
      jobId: "j1",
      channels: [
        {
          channelId: "11",
          controllerId: CONTROLLER,
          number: 1,
          commandId: "command-1",
          state: "accepted",
          reason: null,
          activeMode: "none",
        },
      ],
    },
    refused,
  ),
  sample("commands-reply", VALVE_CALLS.commands.reply, [logged], null),
  sample(
    "waterings-reply",
    Type.Union([VALVE_CALLS.waterings.earlier.reply, VALVE_CALLS.waterings.reply]),
    [{ channelKey: "channel:11", watering }],
    {
      waterings: [{ channelKey: "channel:11", watering }],
      watchedSince: PRESSED,
    },
  ),
  sample("alarms-reply", ALARM_CALLS.list.reply, [alarm]),
  sample("alarm-reply", ALARM_CALLS.snooze.reply, { ok: true, alarm }, { ok: false, why: "unknown" }),
  sample(
    "intent",
    Intent,
    buildOpen({ ...ACCEPTED, state: "confirmed", sentIds: ["command-1"], proof: "id", readAt: PRESSED }),
    buildClose({ ...ACCEPTED, sentIds: ["command-1"], why: "run-end" }),
  ),
  sample("command", CommandLogEntry, {
    commandId: "command-1",
    content: '["controller","x",1,"onoff","1",600]',
    channelKey: "channel:11",
    controllerId: CONTROLLER,
    number: 1,
    command: "onoff",
    target: 1,
    by,
    origin: "screen",
    traceId: "t1",
    at: PRESSED,
    until: PRESSED + 600_000,
    state: "confirmed",
    reason: null,
    steps: [{ state: "accepted", at: PRESSED }],
    sameAs: null,
  }),
  sample("watering", StoredWatering, {
    channelKey: "channel:11",
    watering,
    meter: { sensorId: SENSOR, litres: 1_000 },
    seenAt: PRESSED,
    lookedAt: PRESSED,
  }),
  sample("alarm", Alarm, alarm),
  sample("settings", AccountSettings, {
    adoptExternal: true,
    controllers: { [CONTROLLER]: { maxRunSeconds: 1_800 } },
    channels: { "11": { name: "Tomatoes", defaultRunSeconds: 600, flowSensorId: SENSOR } },
  }),
  sample(
    "session",
    StoredSession,
    { kind: "pair", accessToken: "a", refreshToken: "r", issuedAt: PRESSED, expiresAt: PRESSED },
    { kind: "ended", why: "stopped" },
  ),
  sample("proof", CachedProof, { account: buildAccount(), expiresAt: PRESSED, until: PRESSED }),
  sample("farm-value", FarmValue, {
    info: { id: 1, name: "House 1", description: "", sensorIds: [SENSOR] },
  }),
  sample("sensor-value", SensorValue, {
    info: {
      id: SENSOR,
      name: "Soil 1",
      deviceType: "SMS",
      serial: 100_001,
      description: "",
      crops: "",
      latitude: 36.19,
      longitude: 127.1,
      widget: true,
      clusterId: 1,
      chNums: null,
      imagePath: null,
      clusters: [{ id: 1, name: "House 1" }],
      userId: "u1",
    },
    reading: { moisture: 32.4, battery: 88 },
    at: AT,
    heardAt: AT,
    quality: "fresh",
    via: "mqtt",
  }),
  sample("controller-value", ControllerValue, {
    info: {
      id: CONTROLLER,
      serial: 200_001,
      name: "Valve box",
      description: "",
      type: "CON04V",
    },
    quality: "fresh",
    rssi: -70,
    fwversion: "1.2",
    heardAt: AT,
    link: "up",
  }),
  sample("channel-value", ChannelValue, {
    controllerId: CONTROLLER,
    serial: 200_001,
    number: 1,
    name: "Tomatoes",
    sensorIds: [SENSOR],
    onoff: 1,
    modes: {
      active: "automatic",
      automatic: { lowerBound: 20, upperBound: 40, wateringDuration: 600 },
      reservation: null,
      period: null,
      incomplete: null,
    },
    moisture: 30,
    runUntil: AT,
    endsBy: "device",
    limit: "valve",
    command: { id: "command-1", command: "onoff", target: 1, state: "accepted", since: AT, by },
    at: AT,
    heardAt: AT,
    quality: "fresh",
  }),
  sample(
    "event",
    LiveEvent,
    {
      kind: "notification",
      at: AT,
      id: 1,
      type: "DEVICE",
      message: "silent",
      createdDate: AT,
      unread: true,
    },
    { kind: "flip", at: AT, key: `sensor:${SENSOR}`, online: false, last: AT, value: { moisture: 30 } },
    {
      kind: "command",
      at: AT,
      id: "command-1",
      command: "onoff",
      controllerId: CONTROLLER,
      channelId: "11",
      number: 1,
      target: 1,
      state: "confirmed",
      by,
      reason: "late",
      runUntil: AT,
    },
    { kind: "watering", at: AT, watering },
    { kind: "alarm", at: AT, alarm },
  ),
];
