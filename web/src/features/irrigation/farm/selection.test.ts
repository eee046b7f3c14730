import { describe, expect, it } from "vitest";
import { MOST_CHOSEN, readChosen, toggleChosen, writeChosen } from "./selection.ts";

const NOTHING = { ids: [], cots: [] };

describe("selected devices", () => {
  it("[spec 2] toggles devices with valves in the list of cots, others in the list of ids", () => {
    const one = toggleChosen(NOTHING, "unit", "c1");
    const two = toggleChosen(one, "sensor", "s1");
    expect(two).toEqual({ ids: ["s1"], cots: ["c1"] });
    expect(toggleChosen(two, "unit", "c1")).toEqual({ ids: ["s1"], cots: [] });
  });

  it("[irrigation] keeps both lists in the address, with its other parameters", () => {
    const params = writeChosen(new URLSearchParams("farm=1"), { ids: ["s1", "s2"], cots: ["c1"] });
    expect(params.toString()).toBe("farm=1&ids=s1%2Cs2&cots=c1");
    expect(readChosen(params)).toEqual({ ids: ["s1", "s2"], cots: ["c1"] });
    expect(writeChosen(params, NOTHING).toString()).toBe("farm=1");
  });

  it("[irrigation] reads an address that repeats a device, or names too many", () => {
    const many = Array.from({ length: 40 }, (_, index) => `s${index}`);
    expect(readChosen(new URLSearchParams(`ids=a,a,,b`)).ids).toEqual(["a", "b"]);
    const { ids } = readChosen(new URLSearchParams(`ids=${many.join(",")}`));
    expect(ids).toHaveLength(MOST_CHOSEN);
    expect(toggleChosen({ ids, cots: [] }, "unit", "c1").cots).toEqual([]);
  });
});
