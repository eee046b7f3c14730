import { describe, expect, it } from "vitest";
import { worldPoint } from "./geometry.ts";
import type { MapMarker } from "./marker.tsx";
import { clusterMarkers, groupOf } from "./shown-marks.ts";

const marker = (id: string, change: Partial<MapMarker> = {}): MapMarker => ({
  id,
  latitude: 36.2,
  longitude: 127.1,
  shape: "circle",
  label: id,
  stress: null,
  text: null,
  alarm: null,
  fresh: true,
  ...change,
});
/** Build a marker the given px east of the first one at zoom 10. */
const east = (id: string, px: number): MapMarker => {
  const degrees = (px / (512 * 2 ** 10)) * 360;
  return marker(id, { longitude: 127.1 + degrees });
};
const idsOf = (groups: readonly { markers: readonly MapMarker[] }[]) =>
  groups.map(({ markers }) => markers.map(({ id }) => id).join());

describe("clusters", () => {
  it("[maps] merges markers that would cover each other and keeps others apart", () => {
    expect(idsOf(clusterMarkers([east("a", 0), east("b", 9), east("c", 30)], 10, 16, null))).toEqual([
      "a,b",
      "c",
    ]);
    expect(idsOf(clusterMarkers([east("a", 0), east("b", 9), east("c", 30)], 12, 16, null))).toEqual([
      "a",
      "b",
      "c",
    ]);
  });

  it("[maps] adds a marker to the nearest group, across search cells", () => {
    for (const from of [0, 5, 11, 15, 23]) {
      const groups = clusterMarkers(
        [east("a", from), east("b", from + 28), east("c", from + 15)],
        10,
        16,
        null,
      );
      expect(idsOf(groups)).toEqual(["a", "b,c"]);
    }
  });

  it("[maps] shows a cluster's worst alarm, worst stress and middle", () => {
    const group = groupOf([
      marker("a", { latitude: 36, longitude: 127, alarm: 3, stress: "severe", fresh: false }),
      marker("b", { latitude: 37, longitude: 128, alarm: 1, stress: "none" }),
      marker("c", { latitude: 38, longitude: 129, alarm: null, stress: "danger", fresh: false }),
    ]);
    expect(group).toMatchObject({ alarm: 1, stress: "danger", fresh: true });
    expect(group.latitude).toBeCloseTo(37);
    expect(group.longitude).toBeCloseTo(128);
    expect(groupOf([marker("a", { stress: "danger" }), marker("b")]).stress).toBeNull();
    expect(groupOf([marker("a", { fresh: false }), marker("b", { fresh: false })])).toMatchObject({
      alarm: null,
      stress: null,
      fresh: false,
    });
  });

  it("[maps] never clusters the selected marker", () => {
    const groups = clusterMarkers([east("a", 0), east("b", 2), east("c", 4)], 10, 16, "b");
    expect(idsOf(groups)).toEqual(["a,c", "b"]);
  });

  it("[maps] counts each marker exactly once at every zoom", () => {
    const many = Array.from({ length: 500 }, (_, index) =>
      marker(`${index}`, {
        latitude: 33 + ((index * 7919) % 5000) / 1000,
        longitude: 126 + ((index * 104_729) % 3000) / 1000,
      }),
    );
    for (const zoom of [0, 5, 6.5, 11]) {
      const ids = clusterMarkers(many, zoom, 56, null).flatMap(({ markers }) => markers.map(({ id }) => id));
      expect(new Set(ids).size).toBe(500);
      expect(ids).toHaveLength(500);
    }
  });

  it("[maps] places points by web Mercator", () => {
    expect(worldPoint({ latitude: 0, longitude: 0 }, 0)).toEqual({ x: 256, y: 256 });
    const { x, y } = worldPoint({ latitude: 85.051129, longitude: 180 }, 1);
    expect(x).toBe(1024);
    expect(y).toBeCloseTo(0, 3);
  });
});
