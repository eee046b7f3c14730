import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./root.ts";

/** Tests of their own in a folder of pages. */
const TESTS = ["screens-for-every-eye.ts"];

test("[screenshots] no page of the journeys needs vitest: the screenshots are taken without it", () => {
  const folder = join(ROOT, "e2e/pages");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const needing = files.filter((file) => readFileSync(join(folder, file), "utf8").includes('from "vitest"'));
  expect(needing).toEqual(TESTS);
});
