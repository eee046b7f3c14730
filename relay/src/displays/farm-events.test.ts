import type { LiveEvent } from "@mulkko/shared/live/events";
import { expect, test } from "vitest";
import { createEventCopy } from "../store/streams/event-copy.ts";
import { createFarmEvents } from "./farm-events.ts";

const AT = "2026-11-22T03:00:00.000Z";
const FOREIGN = "Bed of farm 2";
const rethrow = (error: unknown): never => {
  throw error;
};

const opened: LiveEvent = {
  kind: "watering",
  at: AT,
  watering: {
    id: "w1",
    channelId: "11",
    cause: "person",
    by: null,
    start: AT,
    end: null,
    endReason: null,
    moistureBefore: null,
    moistureAfter: null,
    litres: null,
    valveName: FOREIGN,
    number: 1,
    farmIds: ["1", "2"],
  },
};
const lost: LiveEvent = {
  kind: "alarm",
  at: AT,
  alarm: {
    id: "a1",
    key: "controller:c1",
    type: "controller-offline-watering",
    priority: 1,
    count: 1,
    active: true,
    raisedAt: AT,
    clearedAt: null,
    ack: null,
    snooze: null,
    name: FOREIGN,
    valves: [{ channelId: "11", number: 1, valveName: FOREIGN, until: AT }],
  },
};

test("[HS-2] a display's log of events contains no name of an alarm or a watering", () => {
  const source = createEventCopy("e1", [{ offset: 1, event: opened }], 1, rethrow);
  const farm = createFarmEvents({
    source: source.stream,
    devices: { sees: () => true },
    newEpoch: () => "e2",
    onError: rethrow,
  });
  source.append({ offset: 2, event: lost });
  const log = farm.stream.eventsSince(undefined, 10);
  if (log.kind !== "snapshot") throw new Error("a reader without a position gets a snapshot");
  expect(log.newest).toHaveLength(2);
  expect(JSON.stringify(log)).not.toContain(FOREIGN);
  expect(log.newest[1]?.event).toMatchObject({
    alarm: { valves: [{ channelId: "11", number: 1, until: AT }] },
  });
  farm.close();
});
