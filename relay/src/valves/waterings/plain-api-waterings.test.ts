import { WateringPreview, Waterings } from "@mulkko/shared/rest/waterings";
import { parse } from "@mulkko/shared/schema/parse";
import type { TSchema } from "typebox";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildPlainFarm, type PlainFarm } from "../../../testing/plain-api.ts";
import { type PlainApiHarness, startPlainApiHarness } from "../../../testing/plain-api-harness.ts";

const STATE = {
  onoff: 2,
  automatic: 0,
  reservation: 1,
  reservationRepeat: 1,
  reservationTime: "06:30",
  reservationWatering: 30,
  period: 0,
};

describe("waterings in front of an API without extensions", () => {
  let harness: PlainApiHarness;
  let farm: PlainFarm;
  beforeEach(async () => {
    const soil = { id: 1, name: "토양", deviceType: "SMS", serial: 100_001 };
    farm = buildPlainFarm({
      farms: [{ id: 5, name: "논산", sensors: [soil] }],
      sensors: [soil],
      controllers: [
        {
          id: 3,
          serial: 200_001,
          name: "밸브함",
          type: "CON04V",
          channels: [{ id: 11, channelNumber: 1, sensors: [{ id: 1, serial: 100_001, name: "토양" }] }],
        },
      ],
      states: new Map([["200001/11", STATE]]),
      moistures: new Map([["11", 31.5]]),
    });
    harness = await startPlainApiHarness(farm, { POLL_CHANNEL_MS: "200" });
  });
  afterEach(() => harness.close());

  async function ask<S extends TSchema>(path: string, schema: S) {
    const response = await harness.get(path);
    const parsed = parse(schema, await response.json());
    if (!parsed.ok) throw new Error(`${response.status} ${parsed.path} ${parsed.message}`);
    return parsed.value;
  }
  const list = (query = "") => ask(`/relay/waterings${query}`, Waterings);
  const turn = (payload: 1 | 2) =>
    fetch(`${harness.origin}/api/v1/controller/cmd`, {
      method: "POST",
      headers: { authorization: "Bearer bare-token", "content-type": "application/json" },
      body: JSON.stringify({
        uuid: 3,
        command: "onoff",
        deviceType: "controller",
        channel: 1,
        payload,
        ...(payload === 1 && { maxRunSeconds: 60 }),
      }),
    });

  it("[WAT-2] a watering is listed with its farm, its end reason and the day's sum, also after a restart", async () => {
    expect(await list()).toMatchObject({ waterings: [], sums: [], next: null, timezone: "Asia/Seoul" });
    const screen = await harness.look();
    await expect.poll(() => screen.value("channel:11")?.moisture, { timeout: 15_000 }).toBe(31.5);
    expect((await turn(1)).status).toBe(200);
    await expect
      .poll(async () => (await list()).waterings, { timeout: 15_000 })
      .toMatchObject([
        { channelId: "11", cause: "person", by: { nickname: "김농부" }, end: null, farmIds: ["5"] },
      ]);
    expect((await turn(2)).status).toBe(200);
    await expect
      .poll(async () => (await list()).waterings, { timeout: 15_000 })
      .toMatchObject([{ endReason: "closed", moistureBefore: 31.5, litres: null }]);
    const { sums, today } = await list("?farm=5");
    expect(sums).toMatchObject([{ date: today, farmId: "5", count: 1, litres: null, measured: 0 }]);
    expect((await list("?farm=6")).waterings).toEqual([]);
    expect((await list("?channel=11")).waterings).toHaveLength(1);
    screen.leave();
    // The controller is deleted: what it did stays with its farm, under the name that the valve had.
    farm.controllers.length = 0;
    await harness.restart();
    const again = await harness.look();
    await expect.poll(() => again.value("farm:5")).toBeDefined();
    expect(again.value("channel:11")).toBeUndefined();
    const kept = await list("?farm=5");
    expect(kept.waterings).toMatchObject([{ valveName: "토양", number: 1, farmIds: ["5"] }]);
    expect(kept.sums).toMatchObject([{ farmId: "5", count: 1 }]);
    again.leave();
  }, 60_000);

  it("[WAT-4] says since when waterings are known, also after a short restart", async () => {
    const before = Date.now();
    const screen = await harness.look();
    const { knownFrom, keptFrom } = await list();
    expect(Date.parse(knownFrom)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(knownFrom)).toBeLessThanOrEqual(Date.now());
    expect(Date.parse(keptFrom)).toBeLessThan(before - 6 * 86_400_000);
    screen.leave();
    await harness.restart();
    const again = await harness.look();
    expect((await list()).knownFrom).toBe(knownFrom);
    again.leave();
  }, 30_000);

  it("[WAT-3] the reservation of a channel stands in the preview, with its farm", async () => {
    await expect
      .poll(async () => (await ask("/relay/waterings/preview", WateringPreview)).planned, { timeout: 15_000 })
      .toMatchObject([{ channelId: "11", farmIds: ["5"], kind: "reservation", basis: "time" }]);
    const { planned } = await ask("/relay/waterings/preview?farm=6", WateringPreview);
    expect(planned).toEqual([]);
  }, 20_000);

  it("[WAT-2] what cannot be answered is refused by name; nothing without a token", async () => {
    for (const [query, field] of [
      ["cursor=nonsense", "cursor"],
      ["limit=201", "limit"],
      ["from=2026-11-21", "from"],
      ["from=2026-11-21T00:00:00Z&to=2026-11-20T00:00:00Z", "to"],
    ]) {
      const response = await harness.get(`/relay/waterings?${query}`);
      expect(response.status).toBe(422);
      expect(await response.json()).toMatchObject({ code: "validation", errors: [{ field }] });
    }
    expect((await fetch(`${harness.origin}/relay/waterings`)).status).toBe(401);
  });

  it("[WAT-2] the same question again costs a browser no bytes", async () => {
    // Not across the turn of a minute, at which the answer's range moves.
    await expect.poll(() => Date.now() % 60_000, { timeout: 15_000 }).toBeLessThan(50_000);
    const first = await harness.get("/relay/waterings");
    const tag = first.headers.get("etag") ?? "";
    expect((await harness.get("/relay/waterings", { "if-none-match": tag })).status).toBe(304);
  }, 20_000);
});
