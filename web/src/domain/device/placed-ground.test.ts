import { describe, expect, it } from "vitest";
import { groundOfSensors } from "./placed-ground.ts";

const sensor = (id: number, place: object, farm?: { id: number; name: string | null }) => ({
  id,
  deviceType: "SMS",
  serial: 2_400 + id,
  name: `soil ${id}`,
  ...place,
  ...(farm ? { clusters: [farm] } : {}),
});

describe("placed sensors and farms", () => {
  it("[maps] marks placed sensors by name and draws the outlines of the farms that they name", () => {
    const farm = { id: 7, name: "Nonsan" };
    const { markers, outlines } = groundOfSensors([
      sensor(1, { latitude: 36.2, longitude: 127.1 }, farm),
      sensor(2, { latitude: 36.201, longitude: 127.1 }, farm),
      sensor(3, { latitude: 37.2, longitude: 127.4 }),
      sensor(4, { latitude: 0, longitude: 0 }, { id: 8, name: "Empty" }),
    ]);
    expect(markers.map(({ label, shape }) => [label, shape])).toEqual([
      ["soil 1", "circle"],
      ["soil 2", "circle"],
      ["soil 3", "circle"],
    ]);
    expect(outlines.map(({ id, name }) => [id, name])).toEqual([["7", "Nonsan"]]);
    const latitudes = outlines[0]?.ring.map(([, latitude]) => latitude) ?? [];
    expect([Math.min(...latitudes) < 36.2, Math.max(...latitudes) > 36.201]).toEqual([true, true]);
  });
});
