import { nodeTimers } from "@mulkko/shared/server/node-timers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type CommandSubscriptions, createCommandSubscriptions } from "./command-subscriptions.ts";
import type { DeviceIndex, KnownDevice } from "./device-index.ts";

const DEVICE: KnownDevice = {
  id: "a",
  serial: 7,
  kind: "controller",
  accountId: "b",
  type: "CON04V",
  keyHash: new Uint8Array(),
  externalId: null,
  profile: null,
  channels: [],
  valves: null,
};

let known: KnownDevice[];
let notified: number[];
let subscriptions: CommandSubscriptions;
beforeEach(() => {
  vi.useFakeTimers();
  known = [DEVICE];
  notified = [];
  const bySerial = (serial: number) => known.find((device) => device.serial === serial);
  const deviceIndex: DeviceIndex = {
    bySerial,
    byId: () => undefined,
    byExternalId: () => undefined,
    ofAccount: () => [],
    withValves: () => [],
    all: () => [],
    inTrash: () => false,
    reload: async () => undefined,
  };
  subscriptions = createCommandSubscriptions(deviceIndex, nodeTimers);
  subscriptions.onSubscribed(({ serial }) => notified.push(serial));
});
afterEach(() => {
  subscriptions.stop();
  vi.useRealTimers();
});

const message = (topic: string, text: string, retained = false) =>
  subscriptions.received({ topic, payload: Buffer.from(text), duplicate: false, retained, connection: "c" });

test("[devices] reports close subscriptions once, and later ones again", () => {
  subscriptions.subscribed(7);
  subscriptions.subscribed(7);
  vi.advanceTimersByTime(1_000);
  expect(notified).toEqual([7]);
  subscriptions.subscribed(7);
  vi.advanceTimersByTime(1_000);
  expect(notified).toEqual([7, 7]);
});

test("[devices] reports a device that sends often without delay", () => {
  for (let index = 0; index < 20; index += 1) {
    subscriptions.subscribed(7);
    vi.advanceTimersByTime(50);
  }
  expect(notified.length).toBeGreaterThan(1);
});

test("[devices] reacts to `online` only, not to retained messages, other payloads, topics or devices", () => {
  message("mulkko/7/status", " Online ");
  vi.advanceTimersByTime(1_000);
  expect(notified).toEqual([7]);
  message("mulkko/7/status", "online", true);
  message("mulkko/7/status", "offline");
  message("mulkko/7/up", "online");
  message("mulkko/8/status", "online");
  message("mulkko/7/status", `online${" ".repeat(300)}`);
  vi.advanceTimersByTime(1_000);
  expect(notified).toEqual([7]);
});

test("[devices] cancels the wait for a deleted device, and at the end of the process", () => {
  subscriptions.subscribed(7);
  known = [];
  vi.advanceTimersByTime(1_000);
  known = [DEVICE];
  subscriptions.subscribed(7);
  subscriptions.stop();
  vi.advanceTimersByTime(1_000);
  expect(notified).toEqual([]);
});
