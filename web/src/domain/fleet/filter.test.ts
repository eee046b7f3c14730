import { describe, expect, it } from "vitest";
import { type FleetFilter, filterIn, isFiltered, NO_FILTER, toggled, withFilter } from "./filter.ts";

const FILTER: FleetFilter = {
  alarm: ["1"],
  state: ["offline", "late"],
  need: ["battery"],
  type: ["SMS", "-"],
  account: ["a1"],
  fw: ["1.0, beta"],
  text: "house 1",
  since: "2026-11-21T09:00:00.000Z",
};

describe("[fleet] fleet filter in the address", () => {
  it("[fleet] is completely restored from a link and keeps other parameters", () => {
    const params = withFilter(new URLSearchParams("view=map&state=fresh"), FILTER);
    expect(params.get("view")).toBe("map");
    expect(filterIn(new URLSearchParams(params.toString()))).toEqual(FILTER);
    expect(withFilter(params, NO_FILTER).toString()).toBe("view=map");
  });

  it("[fleet] drops unknown states, duplicate values and overlong texts", () => {
    const filter = filterIn(
      new URLSearchParams(
        `alarm=3&alarm=2&state=broken&state=late&state=late&type=&fw=1&fw=1&since=never&q=${"x".repeat(500)}`,
      ),
    );
    expect(filter).toMatchObject({ alarm: ["2"], state: ["late"], type: [], fw: ["1"], since: null });
    expect(filter.text).toHaveLength(100);
    expect(filterIn(new URLSearchParams())).toEqual(NO_FILTER);
  });

  it("[fleet] selects a value on one click and deselects it on the next", () => {
    const chosen = toggled(toggled(FILTER, "state", "fresh"), "account", "a2");
    expect(chosen.state).toEqual(["offline", "late", "fresh"]);
    expect(chosen.account).toEqual(["a1", "a2"]);
    expect(toggled(toggled(chosen, "state", "fresh"), "account", "a2")).toEqual(FILTER);
    expect([isFiltered(FILTER), isFiltered(NO_FILTER)]).toEqual([true, false]);
  });
});
