import { expect, test } from "vitest";
import { putAhead } from "./redis-documents.ts";

test("[NODE-2] does not restore what is being removed, and reverts what was refused", async () => {
  const map = new Map([
    ["a", 1],
    ["b", 2],
  ]);
  const seen: unknown[] = [];
  const changes = [
    ["a", null],
    ["b", 3],
    ["c", 4],
  ] as const;
  const write = async (): Promise<void> => {
    seen.push(Object.fromEntries(map));
  };
  await putAhead(map, changes, write);
  expect(seen).toEqual([{ b: 3, c: 4 }]);
  const refuse = async (): Promise<void> => {
    throw new Error("refused");
  };
  await expect(
    putAhead(
      map,
      [
        ["a", 9],
        ["b", null],
        ["c", 5],
      ],
      refuse,
    ),
  ).rejects.toThrow("refused");
  expect(Object.fromEntries(map)).toEqual({ b: 3, c: 4 });
});
