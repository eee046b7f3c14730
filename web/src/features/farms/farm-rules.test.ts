import { describe, expect, it } from "vitest";
import { farmOfName } from "./FarmFields.tsx";

const FARMS = [
  { id: "1", name: "논산" },
  { id: "2", name: "Icheon" },
];

describe("farm name", () => {
  it("[spec 2] is in use if another farm has it, with or without surrounding spaces", () => {
    expect(farmOfName(FARMS, " 논산 ", null)?.id).toBe("1");
    expect(farmOfName(FARMS, "Icheon", "1")?.id).toBe("2");
  });

  it("[spec 2] is free if no other farm has exactly the same letters", () => {
    expect(farmOfName(FARMS, "icheon", null)).toBeNull();
    expect(farmOfName(FARMS, "논산 2", null)).toBeNull();
    expect(farmOfName(FARMS, "", null)).toBeNull();
  });

  it("[spec 2] does not conflict with itself", () => {
    expect(farmOfName(FARMS, "논산", "1")).toBeNull();
  });
});
