// @vitest-environment node
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const WEB = resolve(import.meta.dirname, "..");
const SHARED = resolve(WEB, "../shared/src");

/** Methods newer than Chrome 94, Firefox 93 and Safari 16.4, which docs/wall-display.md names. */
const NEWER =
  /\.(?:toSorted|toReversed|toSpliced|with|findLast|findLastIndex|isWellFormed|toWellFormed|transferToFixedLength)\(|\b(?:Object|Map)\.groupBy\(|\bPromise\.(?:withResolvers|try)\(|\bArray\.fromAsync\(|\bAbortSignal\.(?:any|timeout)\(|\bURL\.(?:canParse|parse)\(|\bstructuredClone\(|\brandomUUID\(|\bIterator\.|\.(?:intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(|^await /m;

/** Return the project modules that a module imports, statically or dynamically; packages are not followed. */
function importsOf(file: string, text: string): string[] {
  const names = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+\.tsx?|@mulkko\/shared\/[^"]+)"/g)].map(
    ([, name = ""]) => name,
  );
  return names.map((name) =>
    name.startsWith("@mulkko/shared/")
      ? resolve(SHARED, `${name.slice("@mulkko/shared/".length)}.ts`)
      : resolve(dirname(file), name),
  );
}

function sourcesFrom(entry: string): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (sources.has(file)) continue;
    const text = readFileSync(file, "utf8");
    sources.set(file, text);
    open.push(...importsOf(file, text));
  }
  return sources;
}

describe("browsers of televisions", () => {
  const sources = sourcesFrom(resolve(WEB, "src/wall/main.tsx"));

  it("[wall] have every method that the wall's modules call", () => {
    const files = [...sources.keys()];
    for (const reached of ["api/http.ts", "domain/chart/band-series.ts", "wall/pages/AlarmsPage.tsx"]) {
      expect(files.some((file) => file.endsWith(reached))).toBe(true);
    }
    const found = [...sources].flatMap(([file, text]) => {
      const newer = NEWER.exec(text);
      return newer ? [`${file}: ${newer[0]}`] : [];
    });
    expect(found).toEqual([]);
  });

  it("[wall] show a message in three languages if they are too old, with the details that the installer needs", () => {
    const page = readFileSync(resolve(WEB, "wall.html"), "utf8");
    const guide = readFileSync(resolve(WEB, "../docs/wall-display.md"), "utf8");
    for (const language of ["ko", "en", "zh"]) {
      const [, words = ""] = new RegExp(`<p lang="${language}">([^<]+)</p>`).exec(page) ?? [];
      const versions = [...words.matchAll(/(?:Chrome|Firefox|Safari) [\d.]+/g)].map(([version]) => version);
      expect(versions).toHaveLength(3);
      for (const version of versions) expect(guide).toContain(version);
    }
  });
});
