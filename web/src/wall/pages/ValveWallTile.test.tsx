import { describe, expect, it } from "vitest";
import { channelEntry, controllerEntry } from "../testing/build-live-farm.ts";
import { createWallBench } from "../testing/wall-bench.tsx";
import { ValveWallTile } from "./OverviewPage.tsx";

describe("valve on a wall", () => {
  it("[ONL-2] shows the last report, not a state, while its controller's connection is lost", async () => {
    const wall = await createWallBench();
    wall.show(<ValveWallTile id="11" />);
    const [, channel] = channelEntry("11", "c1", {
      onoff: 1,
      link: "lost",
      heardAt: "2026-11-22T03:00:00Z",
      runUntil: "2026-11-22T03:10:00Z",
    });
    const [, controller] = controllerEntry("c1");
    await wall.bring({ "controller:c1": { ...controller, link: "lost" }, "channel:11": { ...channel } });
    const tile = document.querySelector(".reading-tile");
    expect(tile?.getAttribute("data-quality")).not.toBe("fresh");
    expect(tile?.textContent).toContain("연결 끊김");
    expect(tile?.textContent).toContain("12:00");
    expect(tile?.textContent).not.toContain("남음");
  });

  it("[ONL-5] leaves space for the name: shows the doubt once, and the position before the time", async () => {
    const wall = await createWallBench();
    wall.show(<ValveWallTile id="11" />);
    const lost = { link: "lost", heardAt: "2026-11-22T03:00:00Z" } as const;
    const [, channel] = channelEntry("11", "c1", { onoff: 2, ...lost });
    const [, controller] = controllerEntry("c1");
    await wall.bring({ "controller:c1": { ...controller, link: "lost" }, "channel:11": { ...channel } });
    const tile = document.querySelector(".reading-tile");
    expect(tile?.textContent?.match(/연결 끊김/g)).toHaveLength(1);
    expect(tile?.querySelector(".valve-foot")?.textContent).toMatch(/^닫힘 · .*12:00 보고$/);
  });
});
