// @vitest-environment node
import { describe, expect, it } from "vitest";
import { type BuiltChunk, filesAtOnce, inTwoSteps } from "./offline-files.ts";

const chunk = (
  module: string,
  imports: readonly string[] = [],
  styles: readonly string[] = [],
): BuiltChunk => ({
  moduleIds: [`/web/${module}`],
  imports,
  styles,
});
const CHUNKS = new Map([
  ["assets/first.js", chunk("src/main.tsx", [], ["assets/first.css"])],
  [
    "assets/panel.js",
    chunk("src/PanelPage.tsx", ["assets/first.js", "assets/mode.js"], ["assets/panel.css"]),
  ],
  ["assets/mode.js", chunk("src/mode.ts", ["assets/panel.js"], ["assets/mode.css"])],
  ["assets/map.js", chunk("src/MapsPage.tsx", ["assets/first.js"], ["assets/map.css"])],
]);

describe("files of the service worker", () => {
  it("[UI-6] contains the code and the styles of the first pages, also of what their chunks import", () => {
    const files = filesAtOnce(["src/main.tsx", "src/PanelPage.tsx"], CHUNKS);
    const names = ["first.js", "first.css", "panel.js", "panel.css", "mode.js", "mode.css"];
    expect([...files].toSorted()).toEqual(names.map((name) => `assets/${name}`).toSorted());
  });

  it("[UI-6] fails the build if one of the first pages was moved", () => {
    expect(() => filesAtOnce(["src/GonePage.tsx"], CHUNKS)).toThrow("no chunk contains src/GonePage.tsx");
  });

  it("[UI-6] puts the page first, then the first files, then the others with their mark", () => {
    const entry = (url: string, revision: string | null = null) => ({ url, revision });
    const all = ["map.css", "map.js", "app-1.json", "panel.js", "admin-1.json"].map((name) =>
      entry(`assets/${name}`),
    );
    const ordered = inTwoSteps([...all, entry("index.html", "f00")], new Set(["assets/panel.js"]));
    expect(ordered).toEqual([
      entry("index.html", "f00"),
      entry("assets/app-1.json"),
      entry("assets/panel.js"),
      entry("assets/map.css", "later"),
      entry("assets/map.js", "later"),
      entry("assets/admin-1.json", "later"),
    ]);
  });
});
