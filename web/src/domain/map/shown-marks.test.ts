import { describe, expect, it } from "vitest";
import { type Bounds, worldPoint } from "./geometry.ts";
import type { MapMarker } from "./marker.tsx";
import { CLUSTER_ABOVE, FAN_FROM_ZOOM, markAt, shownMarks } from "./shown-marks.ts";

const KOREA: Bounds = [124, 33, 131, 39];
const marker = (
  id: string,
  latitude: number,
  longitude: number,
  change: Partial<MapMarker> = {},
): MapMarker => ({
  id,
  latitude,
  longitude,
  shape: "circle",
  label: id,
  stress: null,
  text: null,
  alarm: null,
  fresh: true,
  ...change,
});
/** Spread markers over the country; none covers another from zoom 12 on. */
const spread = (count: number): MapMarker[] =>
  Array.from({ length: count }, (_, index) =>
    marker(`${index}`, 34 + (index % 60) * 0.03, 126 + Math.floor(index / 60) * 0.03),
  );
const drawn = (marks: ReturnType<typeof shownMarks>) =>
  marks.reduce((sum, { group }) => sum + group.markers.length, 0);

describe("markers of a view", () => {
  it("[maps] clusters more than 2,000 markers in view and draws 2,000 individually", () => {
    const few = shownMarks(spread(CLUSTER_ABOVE), KOREA, 9.5, null);
    const many = shownMarks(spread(CLUSTER_ABOVE + 1), KOREA, 9.5, null);
    expect(few).toHaveLength(CLUSTER_ABOVE);
    expect(many.length).toBeLessThan(CLUSTER_ABOVE / 3);
    expect(drawn(many)).toBe(CLUSTER_ABOVE + 1);
  });

  it("[maps] skips markers far outside the view and draws those near its edge", () => {
    const view: Bounds = [126, 36, 127, 37];
    const ids = shownMarks(
      [marker("in", 36.5, 126.5), marker("beside", 36.5, 127.4), marker("far", 36.5, 129)],
      view,
      10,
      null,
    ).map(({ group }) => group.id);
    expect(ids).toEqual(["in", "beside"]);
  });

  it("[maps] does not cluster at close zoom, and fans out markers of one place", () => {
    const one = [marker("a", 36.2, 127.1), marker("b", 36.2, 127.1), marker("c", 36.2, 127.1)];
    expect(shownMarks(one, KOREA, FAN_FROM_ZOOM - 1, null)).toHaveLength(1);
    const fanned = shownMarks(one, KOREA, FAN_FROM_ZOOM, null);
    expect(fanned.map(({ group }) => group.id).sort()).toEqual(["a", "b", "c"]);
    for (const [index, { offset }] of fanned.entries()) {
      const [x, y] = fanned[(index + 1) % 3]?.offset ?? [0, 0];
      expect(Math.hypot(offset[0] - x, offset[1] - y)).toBeGreaterThan(28);
    }
  });

  it("[maps] draws the selected marker at 40 px on top, then the urgent ones", () => {
    const marks = shownMarks(
      [
        marker("picked", 36.2, 127.1),
        marker("urgent", 36.3, 127.1, { alarm: 1 }),
        marker("minor", 36.4, 127.1, { alarm: 3 }),
        marker("plain", 36.5, 127.1),
      ],
      KOREA,
      12,
      "picked",
    );
    expect(marks.map(({ group }) => group.id)).toEqual(["plain", "minor", "urgent", "picked"]);
    expect(marks.at(-1)?.size).toBe(40);
    expect(marks[0]?.size).toBeLessThan(40);
  });

  it("[maps] finds the nearest marker within a finger's reach, at its drawn position", () => {
    const place = { latitude: 36.2, longitude: 127.1 };
    const marks = shownMarks(
      [marker("a", 36.2, 127.1), marker("b", 36.2, 127.1)],
      KOREA,
      FAN_FROM_ZOOM,
      null,
    );
    const origin = worldPoint(place, FAN_FROM_ZOOM);
    const [first] = marks;
    if (!first) throw new Error("nothing is drawn");
    const [x, y] = first.offset;
    const at = (dx: number, dy: number) =>
      markAt(marks, { x: x + dx, y: y + dy }, origin, FAN_FROM_ZOOM, 16)?.group.id;
    expect(at(0, 0)).toBe(first.group.id);
    expect(at(11, 11)).toBe(first.group.id);
    expect(at(200, 0)).toBeUndefined();
  });
});
