import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { renderSpecCoverage, SPEC_COVERAGE } from "./check/spec-coverage.ts";
import { readTestTitles } from "./check/test-titles.ts";
import { ROOT } from "./root.ts";

/** Bring the generated parts of `docs/internal/spec-coverage.md` up to date: `pnpm spec-coverage`. */
const path = join(ROOT, SPEC_COVERAGE);
const { text, unknown } = renderSpecCoverage(await readFile(path, "utf8"), await readTestTitles(ROOT));
await writeFile(path, text);
for (const { line, title } of unknown) console.error(`${SPEC_COVERAGE}:${line} no test is called “${title}”`);
process.exitCode = unknown.length === 0 ? 0 : 1;
