import { describe, expect, it } from "vitest";
import { fittingProfiles } from "./SensorForm.tsx";

const profileOf = (name: string, ...deviceTypes: string[]) => ({
  name,
  maker: "M",
  model: name,
  deviceTypes,
});
const ALL = [profileOf("soil", "SMS", "SOIL"), profileOf("air", "AT"), profileOf("water", "WATERLEVEL")];
const names = (deviceType: string, chosen: string) =>
  fittingProfiles(ALL, deviceType, chosen).map(({ name }) => name);

describe("matching decoders", () => {
  it("[devices] offers decoders of the device's type, and the current one even if it no longer matches", () => {
    expect(names("SOIL", "")).toEqual(["soil"]);
    expect(names("AT", "water")).toEqual(["air", "water"]);
    expect(names("COT", "")).toEqual([]);
  });
});
