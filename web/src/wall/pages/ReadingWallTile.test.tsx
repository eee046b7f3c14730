import { describe, expect, it } from "vitest";
import { channelEntry, sensorEntry } from "../testing/build-live-farm.ts";
import { createWallBench } from "../testing/wall-bench.tsx";
import { ReadingWallTile } from "./OverviewPage.tsx";

const automatic = { lowerBound: 25, upperBound: 35, wateringDuration: 10 };

describe("a measurement on a wall", () => {
  const shown = async (
    moisture: number,
    { band = true, quality = "fresh" }: { band?: boolean; quality?: "fresh" | "late" } = {},
  ): Promise<string> => {
    const wall = await createWallBench();
    wall.show(<ReadingWallTile id="s1" field="moisture" trend={undefined} />);
    const [, sensor] = sensorEntry("s1", { reading: { moisture }, quality });
    const modes = { active: "none", automatic: band ? automatic : null, reservation: null, period: null };
    const [, channel] = channelEntry("v1", "c1", { sensorIds: ["s1"], modes: { ...modes, active: "none" } });
    await wall.bring({ "sensor:s1": { ...sensor }, "channel:v1": { ...channel } });
    return document.querySelector(".wall-tile__field, .name-line__measured")?.textContent ?? "";
  };

  it.each([
    [24.9, "마름"],
    [25, "알맞음"],
    [35, "알맞음"],
    [35.1, "젖음"],
  ])(
    "[UI-4] calls %d percent by its side of its valve's band, whichever mode is in charge: %s",
    async (value, word) => {
      expect(await shown(value)).toContain(word);
    },
  );

  it("[UI-4] has no word without a band, or for an old value", async () => {
    expect(await shown(20, { band: false })).not.toMatch(/마름|알맞음|젖음/);
    expect(await shown(20, { quality: "late" })).not.toMatch(/마름|알맞음|젖음/);
  });
});
