// @vitest-environment node
import { describe, expect, it } from "vitest";
import { firstFiles } from "./worker-plugin.ts";

const chunk = (fileName: string, imports: string[], rest = {}) => ({
  type: "chunk",
  fileName,
  imports,
  ...rest,
});
const css = (...names: string[]) => ({ viteMetadata: { importedCss: new Set(names) } });

describe("[pwa]", () => {
  it("[pwa] keeps the page, what it imports with its styles, and its words in every language; no other page", () => {
    const bundle = {
      "index.html": {
        type: "asset",
        fileName: "index.html",
        source: '<link rel="icon" href="/icon.svg"><script src="/assets/index.js"></script>',
      },
      "assets/index.js": chunk("assets/index.js", ["assets/first.js"]),
      "assets/first.js": chunk("assets/first.js", ["assets/react.js"], css("assets/first.css")),
      "assets/react.js": chunk("assets/react.js", ["assets/first.js"]),
      "assets/ko.js": chunk("assets/ko.js", [], { name: "first-words-ko" }),
      "assets/zh.js": chunk("assets/zh.js", [], { name: "first-words-zh" }),
      "assets/maps.js": chunk("assets/maps.js", ["assets/first.js"], {
        name: "MapsPage",
        ...css("assets/maps.css"),
      }),
      "version.json": { type: "asset", fileName: "version.json" },
    };
    expect(firstFiles(bundle)).toEqual([
      "/",
      "/manifest.webmanifest",
      "/icon.svg",
      "/assets/first.css",
      "/assets/first.js",
      "/assets/index.js",
      "/assets/ko.js",
      "/assets/react.js",
      "/assets/zh.js",
    ]);
  });
});
