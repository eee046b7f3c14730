import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { buildAlarm } from "../../testing/build-alarm.ts";
import { createWallBench } from "../testing/wall-bench.tsx";
import MapPage from "./MapPage.tsx";

describe("map of a wall", () => {
  it("[wall] shows urgent alarms also if no device has a place", async () => {
    const wall = await createWallBench();
    wall.show(<MapPage />);
    await wall.bring({ "alarm:a": { ...buildAlarm({ id: "a", key: "link:upstream", priority: 2 }) } });
    expect(screen.getByText("위치가 있는 장치가 없습니다")).not.toBeNull();
    expect(document.querySelectorAll(".wall-map__beside .wall-callout")).toHaveLength(1);
  });
});
