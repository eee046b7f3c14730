import { describe, expect, it } from "vitest";
import { AFTER_PRESS, PEEK_PX, settled, sheetPx } from "./MapSheet.tsx";

const ROOM = 700;

describe("list over the map", () => {
  it("[maps] has three heights, and settles at the nearest one after dragging", () => {
    expect(settled(PEEK_PX + 20, ROOM)).toBe("peek");
    expect(settled(300, ROOM)).toBe("half");
    expect(settled(ROOM, ROOM)).toBe("full");
    expect(sheetPx("peek", ROOM)).toBe(PEEK_PX);
    expect(sheetPx("half", ROOM)).toBeGreaterThan(ROOM * 0.4);
    expect(sheetPx("full", ROOM)).toBeLessThan(ROOM);
  });

  it("[maps] cycles through all heights by presses on its handle", () => {
    expect(AFTER_PRESS).toEqual({ peek: "half", half: "full", full: "peek" });
  });
});
