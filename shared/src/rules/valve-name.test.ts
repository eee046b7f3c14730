import { describe, expect, it } from "vitest";
import { valveName } from "./valve-name.ts";

const controller = { name: "House controller", serial: 200_001 };
const sensor = (name: string | null, serial = 1) => ({ name, serial });

describe("the name of a valve", () => {
  it("[NAME-1] is its own name, whatever the names of its sensors", () => {
    const sensors = [sensor("Bed front"), sensor("Bed back")];
    expect(valveName({ name: "Tomatoes", sensors, controller })).toBe("Tomatoes");
    expect(valveName({ name: "  Tomatoes ", sensors, controller })).toBe("Tomatoes");
  });

  it("[NAME-1] is made of its sensors' names where it has none: two at most, the others counted", () => {
    const of = (...names: (string | null)[]) =>
      valveName({ name: null, sensors: names.map((name, n) => sensor(name, n + 1)), controller });
    expect(of("Bed front")).toBe("Bed front");
    expect(of("Bed front", "Bed back")).toBe("Bed front · Bed back");
    expect(of("Bed front", "Bed back", "Path")).toBe("Bed front · Bed back +1");
    expect(of("Bed front", "Bed front", "Path")).toBe("Bed front · Path");
    expect(of("Bed front", " ")).toBe("Bed front · 2");
  });

  it("[NAME-1] is its controller's name without the two, or the controller's serial", () => {
    expect(valveName({ sensors: [], controller })).toBe("House controller");
    expect(valveName({ name: "  ", sensors: [], controller: { serial: 200_001 } })).toBe("200001");
  });
});
