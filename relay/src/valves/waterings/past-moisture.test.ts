import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { buildLogEntry } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import { createPastMoisture } from "./past-moisture.ts";

const at = Date.parse("2026-11-21T03:00:00Z");
const zone = createApiTimeZone("Asia/Seoul");

function createWorld(channel: object | undefined) {
  const asked: string[] = [];
  const rows = new Map<string, ReturnType<typeof buildLogEntry>[]>();
  const ask = async (name: string, start: string, end: string) => {
    asked.push(`${name} ${start} ${end}`);
    return rows.get(name) ?? [];
  };
  const moistureAt = createPastMoisture(
    {
      clock: { zone, now: () => at },
      log: (id, start, end) => ask(String(id), start, end),
      cotLog: (id, number, start, end) => ask(`${id}/${number}`, start, end),
    },
    { get: () => channel && { ...channel } },
  );
  return { asked, rows, moistureAt };
}

describe("a channel's moisture of then", () => {
  it("[WAT-1] is the mean of what its sensors said last in the hour before", async () => {
    const world = createWorld({ controllerId: "c1", number: 1, sensorIds: ["s1", "s2", "s3"] });
    world.rows.set("s1", [
      buildLogEntry({ createdDate: "2026-11-21 11:20:00", moisture: 10 }),
      buildLogEntry({ createdDate: "2026-11-21 11:50:00", moisture: 30 }),
      buildLogEntry({ createdDate: "2026-11-21 12:00:30", moisture: 99 }),
    ]);
    world.rows.set("s2", [buildLogEntry({ createdDate: "2026-11-21 11:30:00", mois: "40" })]);
    world.rows.set("s3", [buildLogEntry({ createdDate: "2026-11-21 11:00:00", moisture: 0 })]);
    expect(await world.moistureAt("channel:11", at)).toBe(35);
    expect(world.asked[0]).toBe("s1 2026-11-21 11:00 2026-11-21 12:01");
  });

  it("[ONL-6] reads times of every form, and nothing from the future", async () => {
    const world = createWorld({ controllerId: "c1", number: 1, sensorIds: ["s1", "s2"] });
    world.rows.set("s1", [buildLogEntry({ createdDate: new Date(at - 60_000).toISOString(), moisture: 10 })]);
    world.rows.set("s2", [
      buildLogEntry({ createdDate: `${(at - 60_000) / 1_000}`, moisture: 20 }),
      buildLogEntry({ createdDate: `${at + 60_000}`, moisture: 99 }),
    ]);
    expect(await world.moistureAt("channel:11", at)).toBe(15);
  });

  it("[WAT-1] of a COT sensor's channel is in its own log", async () => {
    const world = createWorld({ controllerId: "k1", number: 2, sensorIds: [] });
    world.rows.set("k1/2", [buildLogEntry({ createdDate: "2026-11-21 11:59", moisture: 21 })]);
    expect(await world.moistureAt("channel:k1:2", at)).toBe(21);
  });

  it("[WAT-1] is unknown without a reading or for a missing channel", async () => {
    expect(
      await createWorld({ controllerId: "c1", number: 1, sensorIds: [] }).moistureAt("channel:11", at),
    ).toBeNull();
    expect(await createWorld(undefined).moistureAt("channel:11", at)).toBeNull();
  });
});
