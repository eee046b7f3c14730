import { describe, expect, it } from "vitest";
import { convexHull, groundOf } from "./geometry.ts";

describe("farm outline", () => {
  it("[maps] returns the outermost points as hull, in order and closed", () => {
    const hull = convexHull([
      [0, 0],
      [2, 0],
      [1, 1],
      [2, 2],
      [1, 0],
      [0, 2],
      [0.5, 0.5],
    ]);
    expect(hull).toEqual([
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
      [0, 0],
    ]);
  });

  it("[maps] returns no hull for collinear, coinciding or too few points", () => {
    expect(
      convexHull([
        [0, 0],
        [1, 1],
        [2, 2],
      ]),
    ).toEqual([]);
    expect(
      convexHull([
        [1, 1],
        [1, 1],
        [1, 1],
      ]),
    ).toEqual([]);
    expect(convexHull([])).toEqual([]);
  });

  it("[maps] draws ground around a single sensor, equally wide and high in metres", () => {
    const ring = groundOf([{ latitude: 36.2, longitude: 127.1 }]);
    expect(ring.length).toBeGreaterThan(10);
    const east = Math.max(...ring.map(([longitude]) => longitude)) - 127.1;
    const north = Math.max(...ring.map(([, latitude]) => latitude)) - 36.2;
    expect(north * 111_320).toBeCloseTo(30, 3);
    expect(east * 111_320 * Math.cos((36.2 * Math.PI) / 180)).toBeCloseTo(30, 3);
  });

  it("[maps] encloses all of a farm's sensors, and draws no ground without one", () => {
    const places = [
      { latitude: 36.2, longitude: 127.1 },
      { latitude: 36.21, longitude: 127.12 },
      { latitude: 36.19, longitude: 127.13 },
    ];
    const ring = groundOf(places);
    const leftOf = (index: number, [x, y]: [number, number]) => {
      const [a, b] = [ring[index], ring[index + 1]];
      return a && b ? (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) : 0;
    };
    for (const { latitude, longitude } of places) {
      for (let side = 0; side < ring.length - 1; side += 1)
        expect(leftOf(side, [longitude, latitude])).toBeGreaterThan(0);
    }
    expect(groundOf([])).toEqual([]);
  });
});
