import { expect, it } from "vitest";
import { boardOf, nameOrder } from "../../domain/fleet/board.ts";
import { NO_FILTER } from "../../domain/fleet/filter.ts";
import { fleetOfDevices } from "../../testing/build-fleet-device.ts";
import { facetChoices } from "./FilterBar.tsx";

it("[fleet] orders facet values by name, selected ones first even without a match, missing ones last", () => {
  const devices = fleetOfDevices({
    a: { fwversion: "1.10" },
    b: { fwversion: "1.9" },
    c: { fwversion: "1.9" },
    d: { fwversion: null },
  });
  const filter = { ...NO_FILTER, fw: ["9.9"] };
  const { counts } = boardOf(devices, nameOrder(devices), filter, (type) => type);
  const choices = facetChoices("fw", counts, filter, (_, value) => (value === "-" ? "not known" : value));
  expect(choices.map(({ label, chosen }) => [label, chosen])).toEqual([
    ["9.9", true],
    ["1.9", false],
    ["1.10", false],
    ["not known", false],
  ]);
});
