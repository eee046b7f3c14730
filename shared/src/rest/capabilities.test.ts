import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { EXTENSIONS } from "./capabilities.ts";

const page = await readFile(new URL("../../../docs/farm-api.md", import.meta.url), "utf8");
const rows = page.slice(
  page.indexOf("| extension | without it |"),
  page.indexOf("\nTests: `relay/src/upstream"),
);
const named = rows.split("\n").flatMap((row) => (row.split("|")[1] ?? "").match(/(?<=`)[a-z-]+(?=`)/g) ?? []);

it("[capabilities] names on the page about one's own farm API what is missing without each extension", () => {
  expect([...named].sort()).toEqual([...EXTENSIONS].sort());
});
