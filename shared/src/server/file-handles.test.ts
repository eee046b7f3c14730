import { open } from "node:fs/promises";
import { expect, test } from "vitest";
import { connectionsWithin, fileHandles, hasHandles, RESERVED_HANDLES } from "./file-handles.ts";

test("[SHARE-7] counts the handles of this process, and reads their limit", async () => {
  const before = await fileHandles();
  const files = await Promise.all(Array.from({ length: 20 }, () => open(import.meta.filename)));
  const after = await fileHandles();
  await Promise.all(files.map((file) => file.close()));
  // Other tests of this process may open and close some meanwhile.
  expect((after?.open ?? 0) - (before?.open ?? 0)).toBeGreaterThan(5);
  expect(after?.limit).toBeGreaterThan(after?.open ?? Number.POSITIVE_INFINITY);
});

test("[SHARE-7] connections leave handles for the rest, and the rest is reported as short before they end", () => {
  const handles = { open: 40, limit: 256 };
  const most = connectionsWithin(handles, 10_000);
  expect(most).toBe(256 - 40 - RESERVED_HANDLES);
  expect(hasHandles({ ...handles, open: handles.open + most - 1 })).toBe(true);
  expect(hasHandles({ ...handles, open: handles.open + most })).toBe(false);
  expect(connectionsWithin({ open: 40, limit: 65_536 }, 10_000)).toBe(10_000);
  expect(connectionsWithin({ open: 40, limit: 64 }, 10_000)).toBe(1);
  expect(connectionsWithin(null, 10_000)).toBe(10_000);
  expect(hasHandles(null)).toBe(true);
  expect(hasHandles({ open: 400, limit: 512 }, RESERVED_HANDLES / 2)).toBe(true);
  expect(hasHandles({ open: 448, limit: 512 }, RESERVED_HANDLES / 2)).toBe(false);
});
