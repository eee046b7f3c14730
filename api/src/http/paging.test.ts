import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { NAME_SEARCHES, TELEPHONE_SEARCHES } from "@mulkko/shared/testing/search-cases";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestFarm, type TestFarm } from "../../testing/test-farm.ts";
import { isPaged, matching, orderBy, searchParameter, sliceOf } from "./paging.ts";

test("[paging] pages begin at 1 and have fifty rows by default", () => {
  expect(sliceOf({})).toEqual({ limit: 50, offset: 0 });
  expect(sliceOf({ page: 3, size: 5 })).toEqual({ limit: 5, offset: 10 });
});

test("[paging] a list is complete unless one of page, size, q and sort is given", () => {
  expect(isPaged({})).toBe(false);
  expect([{ page: 1 }, { size: 5 }, { q: "" }, { sort: "name" }].map(isPaged)).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

describe("[FIND-1] search in the database", () => {
  let farm: TestFarm;
  beforeAll(async () => {
    farm = await startTestFarm();
  });
  afterAll(() => farm.close());
  const isFound = async (typed: string, sql: string, text: string): Promise<boolean> => {
    const [row] = await farm.app.database.query<{ found: boolean | null }>(`select ${sql} as found`, [
      searchParameter(typed),
      text,
    ]);
    return row?.found === true;
  };

  test.each(NAME_SEARCHES)("[FIND-1] “$typed” in “$text”: $isFound", async ({ text, typed, ...expected }) => {
    expect(await isFound(typed, matching("$1", ["null", "$2::text"]), text)).toBe(expected.isFound);
  });

  test.each(TELEPHONE_SEARCHES)(
    "[FIND-1] “$typed” in the telephone number “$text”: $isFound",
    async ({ text, typed, ...expected }) => {
      expect(await isFound(typed, matching("$1", ["null"], ["null", "$2::text"]), text)).toBe(
        expected.isFound,
      );
    },
  );
});

test("[FIND-1] no other statement searches a text by itself", async () => {
  const root = join(import.meta.dirname, "..");
  const files = (await readdir(root, { recursive: true })).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const texts = await Promise.all(
    files.map(async (file) => ({ file, text: await readFile(join(root, file), "utf8") })),
  );
  const searching = texts.filter(({ text }) => /\bi?like\s+\$|\bstrpos\(/i.test(text));
  expect(searching.map(({ file }) => file)).toEqual(["http/paging.ts"]);
});

test("[paging] sorts by listed columns only, up or down", () => {
  const columns = { name: "lower(name)" };
  expect(orderBy(undefined, columns, "id")).toBe("order by id");
  expect(orderBy("name", columns, "id")).toBe("order by lower(name) asc nulls last, id");
  expect(orderBy("name,desc", columns, "id")).toBe("order by lower(name) desc nulls last, id");
  for (const requested of [
    "",
    "id; drop table account",
    "name,sideways",
    "name,asc,x",
    "constructor",
    "__proto__",
  ]) {
    expect(() => orderBy(requested, columns, "id")).toThrow("sort must be one of name");
  }
});
