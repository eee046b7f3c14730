import { describe, expect, it } from "vitest";
import { aimOf } from "./aim.ts";
import { groundOf } from "./geometry.ts";
import type { MapMarker } from "./marker.tsx";
import { DEFAULT_PLACE, type Place } from "./place.ts";

const marker = (id: string, { latitude, longitude }: Place): MapMarker => ({
  id,
  latitude,
  longitude,
  shape: "circle",
  label: id,
  stress: null,
  text: null,
  alarm: null,
  fresh: true,
});
const NONSAN = { latitude: 36.2, longitude: 127.1 };
const ICHEON = { latitude: 37.2, longitude: 127.4 };
const GROUND = {
  markers: [marker("a", NONSAN), marker("b", ICHEON)],
  outlines: [
    { id: "1", name: "Nonsan", ring: groundOf([NONSAN]) },
    { id: "2", name: "Icheon", ring: groundOf([ICHEON]) },
  ],
};
const NOTHING = { markers: [], outlines: [] };

/** Return the middle of the view. */
const middle = (aim: ReturnType<typeof aimOf>): Place => {
  if (aim.kind === "point") return aim.at;
  const [west, south, east, north] = aim.bounds;
  return { latitude: (south + north) / 2, longitude: (west + east) / 2 };
};

describe("initial view of a form's map", () => {
  it("[maps] shows the chosen farm's ground while no place is typed, and any farm's if none is chosen", () => {
    for (const [farm, place] of [
      ["2", ICHEON],
      ["1", NONSAN],
      [null, NONSAN],
    ] as const) {
      const aim = aimOf(null, GROUND, farm);
      expect(aim.kind).toBe("bounds");
      expect(middle(aim).latitude).toBeCloseTo(place.latitude, 3);
      expect(middle(aim).longitude).toBeCloseTo(place.longitude, 3);
    }
  });

  it("[maps] shows a place with its farm's ground, or alone if far from every farm", () => {
    const beside = { latitude: 36.203, longitude: 127.1 };
    const aim = aimOf(beside, GROUND, null);
    if (aim.kind !== "bounds") throw new Error("the ground is not shown");
    expect(aim.bounds[3]).toBe(beside.latitude);
    expect(aim.bounds[1]).toBeLessThan(NONSAN.latitude);
    const far = { latitude: 35, longitude: 128 };
    expect(aimOf(far, GROUND, "1")).toEqual({ kind: "point", at: far, zoom: 15 });
  });

  it("[maps] starts at the placed devices, or at the specification's default", () => {
    const alone = { markers: [marker("a", NONSAN)], outlines: [] };
    expect(middle(aimOf(null, alone, null))).toMatchObject(NONSAN);
    // Another farm's ground must not replace that of a farm without placed devices.
    expect(aimOf(null, { ...GROUND, markers: [] }, "3")).toEqual({
      kind: "point",
      at: DEFAULT_PLACE,
      zoom: 11,
    });
    expect(aimOf(null, NOTHING, null)).toEqual({ kind: "point", at: DEFAULT_PLACE, zoom: 11 });
  });
});
