import { expect, it } from "vitest";
import { describeFinding } from "./finding.ts";
import { folderCircles } from "./folder-circles.ts";

const found = (...imports: readonly (readonly [source: string, resolved: string])[]): string[] =>
  folderCircles(imports.map(([source, resolved]) => ({ source, dependencies: [{ resolved }] }))).map(
    describeFinding,
  );

it("[check] finds two folders beside each other that import one another", () => {
  expect(found(["web/src/log/card/a.ts", "web/src/log/data/b.ts"])).toEqual([]);
  expect(
    found(
      ["web/src/log/card/a.ts", "web/src/log/data/b.ts"],
      ["web/src/log/data/deep/c.ts", "web/src/log/card/d.ts"],
    ),
  ).toEqual([
    "web/src/log/card/a.ts imports web/src/log/data/b.ts: folders form a circle: web/src/log/card → web/src/log/data → web/src/log/card",
  ]);
});

it("[check] finds a circle of three folders once", () => {
  expect(
    found(["api/b/x.ts", "api/c/x.ts"], ["api/c/y.ts", "api/a/x.ts"], ["api/a/y.ts", "api/b/x.ts"]),
  ).toEqual(["api/a/y.ts imports api/b/x.ts: folders form a circle: api/a → api/b → api/c → api/a"]);
});

it("[check] allows a folder and the one that contains it, and tests", () => {
  expect(
    found(
      ["web/src/log/board.ts", "web/src/log/card/a.ts"],
      ["web/src/log/card/a.ts", "web/src/log/shown.ts"],
      ["web/src/log/card/a.ts", "web/src/log/data/b.ts"],
      ["web/src/log/data/b.test.ts", "web/src/log/card/a.ts"],
    ),
  ).toEqual([]);
});
