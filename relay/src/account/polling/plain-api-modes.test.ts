import { WateringPreview } from "@mulkko/shared/rest/waterings";
import { parse } from "@mulkko/shared/schema/parse";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildPlainFarm } from "../../../testing/plain-api.ts";
import { type PlainApiHarness, startPlainApiHarness } from "../../../testing/plain-api-harness.ts";

const AUTOMATIC = { onoff: 2, automatic: 1, automaticLowMoisture: 20, automaticWatering: 10, reservation: 0 };
const PATIENCE = { timeout: 15_000 };

describe("watering modes with an API without extensions", () => {
  let harness: PlainApiHarness;
  beforeEach(async () => {
    const controller = {
      id: 3,
      serial: 200_001,
      name: "밸브함",
      type: "CON04V",
      channels: [{ id: 11, channelNumber: 1, sensors: [] }],
    };
    const cot = { id: 2, name: "COT", deviceType: "COT", serial: 100_002, chNums: 1 };
    const farm = buildPlainFarm({
      sensors: [cot],
      controllers: [controller],
      states: new Map([["200001/11", AUTOMATIC]]),
      cotLogs: new Map([["2/1", [{ at: Date.now() - 60_000, fields: { valve: 2, moisture: 31.5 } }]]]),
    });
    harness = await startPlainApiHarness(farm, { POLL_CHANNEL_MS: "200" });
    harness.api.habits.flagEachMode = true;
  });
  afterEach(() => harness.close());

  const send = (path: string, body: object) =>
    fetch(`${harness.origin}/api/v1/controller/${path}`, {
      method: "POST",
      headers: { authorization: "Bearer bare-token", "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  it("[MODE-4] every flagged mode is shown until its reset is reported", async () => {
    const screen = await harness.look();
    const modes = () => screen.value("channel:11")?.modes;
    await expect.poll(modes, PATIENCE).toMatchObject({ active: "automatic" });
    expect(modes()).not.toHaveProperty("alsoOn");
    const saved = await send("channel/11/reservation", {
      onTime: "06:30",
      offDelayMinutes: 15,
      repeat: true,
    });
    expect(saved.status).toBe(200);
    await expect.poll(modes, PATIENCE).toMatchObject({ active: "automatic", alsoOn: ["reservation"] });
    const command = { uuid: 3, deviceType: "controller", channel: 1 };
    expect((await send("cmd", { ...command, command: "automatic/reset", payload: 1 })).status).toBe(200);
    await expect.poll(modes, PATIENCE).toMatchObject({ active: "reservation", automatic: null });
    expect(modes()).not.toHaveProperty("alsoOn");
    screen.leave();
  }, 60_000);

  it("[ONL-1] a movement shows within seconds that a controller lives, where only movements are logged", async () => {
    harness.api.habits.rowsOnMovement = true;
    // The valve moved last three hours ago.
    harness.api.farm.cotLogs.set("3/1", [{ at: Date.now() - 3 * 3_600_000, fields: { valve: 2 } }]);
    const screen = await harness.look();
    const valve = () => screen.value("channel:11");
    await expect.poll(() => valve()?.quality, PATIENCE).toBe("unknown");
    const opening = { uuid: 3, command: "onoff", deviceType: "controller", channel: 1, payload: 1 };
    expect((await send("cmd", opening)).status).toBe(200);
    await expect.poll(valve, PATIENCE).toMatchObject({ onoff: 1, quality: "fresh" });
    screen.leave();
  }, 60_000);

  it("[MODE-4] modes that no answer contains are unknown, not off, and are not planned", async () => {
    const screen = await harness.look();
    await expect.poll(() => screen.value("channel:2:1")?.onoff, PATIENCE).toBe(2);
    expect(screen.value("channel:2:1")).toMatchObject({ modes: null });
    await expect.poll(() => screen.value("channel:11")?.modes, PATIENCE).toBeTruthy();
    const preview = parse(WateringPreview, await (await harness.get("/relay/waterings/preview")).json());
    expect(preview).toMatchObject({ ok: true, value: { unread: ["2:1"], planned: [] } });
    screen.leave();
  }, 60_000);
});
