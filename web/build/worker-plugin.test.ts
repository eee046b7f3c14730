// @vitest-environment node
import { describe, expect, it } from "vitest";
import { firstFiles, pageFiles } from "./worker-plugin.ts";

const chunk = (fileName: string, imports: string[], rest = {}) => ({
  type: "chunk",
  fileName,
  imports,
  ...rest,
});
const css = (...names: string[]) => ({ viteMetadata: { importedCss: new Set(names) } });

describe("[pwa]", () => {
  it("[pwa] caches the page, its imports with their styles, and its translations in every language; no other page", () => {
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

  it("[pwa] caches every farmer page with its styles, the map last; no fonts, no administrators' pages", () => {
    const bundle = {
      "assets/first.js": chunk("assets/first.js", [], {
        dynamicImports: ["assets/maps.js", "assets/users.js", "assets/alarms.js", "assets/styles-alone.js"],
      }),
      "assets/alarms.js": chunk("assets/alarms.js", ["assets/first.js"], css("assets/alarms.css")),
      "assets/maps.js": chunk("assets/maps.js", ["assets/first.js"], {
        facadeModuleId: "/web/src/features/maps/MapsPage.tsx",
        dynamicImports: ["assets/maplibre-gl.js"],
      }),
      "assets/maplibre-gl.js": chunk("assets/maplibre-gl.js", [], {
        viteMetadata: {
          importedCss: new Set(["assets/a-style.css"]),
          importedAssets: new Set(["assets/korea.geojson", "assets/face.woff2"]),
        },
      }),
      "assets/users.js": chunk("assets/users.js", ["assets/table.js"], {
        facadeModuleId: "/web/src/features/admin-users/UsersPage.tsx",
      }),
      "assets/table.js": chunk("assets/table.js", []),
      "assets/alarms.css": { type: "asset", fileName: "assets/alarms.css" },
      "assets/a-style.css": { type: "asset", fileName: "assets/a-style.css" },
      "assets/korea.geojson": { type: "asset", fileName: "assets/korea.geojson" },
      "assets/face.woff2": { type: "asset", fileName: "assets/face.woff2" },
    };
    expect(pageFiles(bundle, ["/", "/assets/first.js"])).toEqual([
      "/assets/a-style.css",
      "/assets/alarms.css",
      "/assets/alarms.js",
      "/assets/maps.js",
      "/assets/korea.geojson",
      "/assets/maplibre-gl.js",
    ]);
  });
});
