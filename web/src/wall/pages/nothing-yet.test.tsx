import { act, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it } from "vitest";
import { createWallBench, type WallBench } from "../testing/wall-bench.tsx";
import { AlarmsPage } from "./AlarmsPage.tsx";
import { OverviewPage } from "./OverviewPage.tsx";
import { ValvesPage } from "./ValvesPage.tsx";

describe.each([
  ["alarms", AlarmsPage, "경보가 없습니다"],
  ["overview", OverviewPage, "보여 줄 장치가 없습니다"],
  ["valves", ValvesPage, "밸브가 없습니다"],
] as const)("page %s of a screen without farm data", (_name, Page, none) => {
  let wall: WallBench;
  beforeEach(async () => {
    wall = await createWallBench();
    wall.show(<Page lap={0} />);
  });
  const text = () => document.querySelector(".wall-empty")?.textContent;

  it("[wall] shows that it loads, and never that there is nothing", async () => {
    expect(text()).toBe("농장을 불러오고 있습니다");
    await wall.bring({});
    expect(text()).toBe(none);
  });

  it("[wall] reports missing data after a long silence of the relay", async () => {
    wall.live.clock.advance(40_000);
    act(() => wall.live.client.connection.update());
    expect(text()).toBe("아직 받은 값이 없습니다");
    expect(screen.queryByText(none)).toBeNull();
  });
});
