import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DeviceDirectory, KnownDevice } from "./directory.ts";
import { createListening, type Listening } from "./listening.ts";

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
let told: number[];
let listening: Listening;
beforeEach(() => {
  vi.useFakeTimers();
  known = [DEVICE];
  told = [];
  const bySerial = (serial: number) => known.find((device) => device.serial === serial);
  const directory: DeviceDirectory = {
    bySerial,
    byId: () => undefined,
    byExternalId: () => undefined,
    ofAccount: () => [],
    withValves: () => [],
    reload: async () => undefined,
  };
  listening = createListening(directory);
  listening.when(({ serial }) => told.push(serial));
});
afterEach(() => {
  listening.stop();
  vi.useRealTimers();
});

const message = (topic: string, text: string, retained = false) =>
  listening.heard({ topic, payload: Buffer.from(text), duplicate: false, retained, connection: "c" });

test("[devices] subscriptions close together are told once, and later ones again", () => {
  listening.began(7);
  listening.began(7);
  vi.advanceTimersByTime(1_000);
  expect(told).toEqual([7]);
  listening.began(7);
  vi.advanceTimersByTime(1_000);
  expect(told).toEqual([7, 7]);
});

test("[devices] a device that says much is told of all the same", () => {
  for (let index = 0; index < 20; index += 1) {
    listening.began(7);
    vi.advanceTimersByTime(50);
  }
  expect(told.length).toBeGreaterThan(1);
});

test("[devices] the word online is a sign; what the broker kept, another word, topic or device is none", () => {
  message("mulkko/7/status", " Online ");
  vi.advanceTimersByTime(1_000);
  expect(told).toEqual([7]);
  message("mulkko/7/status", "online", true);
  message("mulkko/7/status", "offline");
  message("mulkko/7/up", "online");
  message("mulkko/8/status", "online");
  message("mulkko/7/status", `online${" ".repeat(99)}`);
  vi.advanceTimersByTime(1_000);
  expect(told).toEqual([7]);
});

test("[devices] a device that is deleted meanwhile, and the end of the process, end the wait", () => {
  listening.began(7);
  known = [];
  vi.advanceTimersByTime(1_000);
  known = [DEVICE];
  listening.began(7);
  listening.stop();
  vi.advanceTimersByTime(1_000);
  expect(told).toEqual([]);
});
