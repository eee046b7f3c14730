// @vitest-environment node
import { describe, expect, it } from "vitest";
import { firstChunks } from "./first-chunks.ts";

/** Modules with their static and dynamic imports. */
const MODULES: Readonly<Record<string, { now?: readonly string[]; later?: readonly string[] }>> = {
  desktop: { now: ["router", "store", "words"], later: ["map-page", "valve"] },
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

describe("first files of the two clients", () => {
  const place = firstChunks("desktop", "wall");

  it("[build] gives the desktop client its own static imports, except those that the wall also imports, statically or dynamically", () => {
    expect(["desktop", "router"].map((id) => place(id, linksOf))).toEqual(["first", "first"]);
    expect(["store", "dates", "words"].map((id) => place(id, linksOf))).toEqual([
      "shared",
      "shared",
      "shared",
    ]);
  });

  it("[build] leaves modules of some pages, or of the wall alone, to the bundler", () => {
    expect(["wall", "turning", "valve", "map-page"].map((id) => place(id, linksOf))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
