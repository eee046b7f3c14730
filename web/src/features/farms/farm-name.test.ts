import { describe, expect, it } from "vitest";
import { farmOfName } from "./farm-name.ts";

const FARMS = [
  { id: "1", name: "논산" },
  { id: "2", name: "Icheon" },
];

describe("a farm's name", () => {
  it("[spec 2] is taken where another farm has it, spaces around it or not", () => {
    expect(farmOfName(FARMS, " 논산 ", null)?.id).toBe("1");
    expect(farmOfName(FARMS, "Icheon", "1")?.id).toBe("2");
  });

  it("[spec 2] is free where nobody else has it: other letters are another name", () => {
    expect(farmOfName(FARMS, "icheon", null)).toBeNull();
    expect(farmOfName(FARMS, "논산 2", null)).toBeNull();
    expect(farmOfName(FARMS, "", null)).toBeNull();
  });

  it("[spec 2] one's own name is no clash", () => {
    expect(farmOfName(FARMS, "논산", "1")).toBeNull();
  });
});
