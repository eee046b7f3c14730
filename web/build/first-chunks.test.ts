// @vitest-environment node
import { describe, expect, it } from "vitest";
import { firstChunks } from "./first-chunks.ts";

/** Modules with what they import at once, and what they import some day. */
const MODULES: Readonly<Record<string, { now?: readonly string[]; later?: readonly string[] }>> = {
  desk: { now: ["router", "store", "words"], later: ["map-page", "valve"] },
  router: { now: ["store"] },
  store: { now: ["dates"] },
  dates: { now: ["store"] },
  wall: { now: ["store", "turning", "valve"], later: ["map-page"] },
  "map-page": { now: ["words"] },
};
const linksOf = (id: string) => ({
  importedIds: MODULES[id]?.now ?? [],
  dynamicallyImportedIds: MODULES[id]?.later ?? [],
});

describe("the first files of the two clients", () => {
  const place = firstChunks("desk", "wall");

  it("[build] what the desk needs at once is its own, but for what the wall needs as well, at once or some day", () => {
    expect(["desk", "router"].map((id) => place(id, linksOf))).toEqual(["first", "first"]);
    expect(["store", "dates", "words"].map((id) => place(id, linksOf))).toEqual([
      "shared",
      "shared",
      "shared",
    ]);
  });

  it("[build] what only some pages need, or the wall alone, finds its own place", () => {
    expect(["wall", "turning", "valve", "map-page"].map((id) => place(id, linksOf))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
