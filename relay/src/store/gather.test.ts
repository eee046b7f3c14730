import { expect, test } from "vitest";
import { emptyGathering, gatherDel, gatherPatch, gatherSet, putBack, takeGathered } from "./gather.ts";

test("[SUB-1] sends each key once, with its final value", () => {
  const gathering = emptyGathering();
  gatherSet(gathering, "a", { n: 1, m: 1 });
  gatherPatch(gathering, "a", { n: 2 });
  gatherPatch(gathering, "a", { n: 3 });
  expect(takeGathered(gathering)).toMatchObject({ set: { a: { n: 3, m: 1 } }, patch: {}, del: [] });
  gatherPatch(gathering, "a", { n: 4 });
  gatherPatch(gathering, "a", { m: 2 });
  expect(takeGathered(gathering)).toMatchObject({ set: {}, patch: { a: { n: 4, m: 2 } } });
});

test("[SUB-1] does not send unchanged values", () => {
  const gathering = emptyGathering();
  gatherSet(gathering, "a", { reading: { t: 1 }, at: "x" });
  takeGathered(gathering);
  expect(gatherPatch(gathering, "a", { reading: { t: 1 } })).toBe(null);
  expect(gatherSet(gathering, "a", { reading: { t: 1 }, at: "x" })).toBe(false);
  expect(gatherDel(gathering, "b")).toBe(false);
  expect(gathering.pending.size).toBe(0);
});

test("[SUB-1] sends a whole value as the equivalent patch, unless a field was removed", () => {
  const gathering = emptyGathering();
  gatherSet(gathering, "a", { n: 1, m: 1 });
  takeGathered(gathering);
  gatherSet(gathering, "a", { n: 2, m: 1 });
  expect(takeGathered(gathering)).toMatchObject({ set: {}, patch: { a: { n: 2 } } });
  gatherSet(gathering, "a", { n: 2 });
  expect(takeGathered(gathering)).toMatchObject({ set: { a: { n: 2 } }, patch: {} });
});

test("[SUB-1] sends a key whole that is removed and added again", () => {
  const gathering = emptyGathering();
  gatherSet(gathering, "a", { n: 1, m: 1 });
  takeGathered(gathering);
  gatherDel(gathering, "a");
  gatherPatch(gathering, "a", { n: 2 });
  expect(takeGathered(gathering)).toMatchObject({ set: { a: { n: 2 } }, patch: {}, del: [] });
});

test("[NODE-2] sends a flush that was not stored with the next one, under newer changes", () => {
  const gathering = emptyGathering();
  gatherSet(gathering, "a", { n: 1, m: 1 });
  gatherSet(gathering, "b", { n: 1 });
  gatherSet(gathering, "c", { n: 1 });
  takeGathered(gathering);
  gatherPatch(gathering, "a", { n: 2 });
  gatherDel(gathering, "b");
  gatherPatch(gathering, "c", { n: 2 });
  const refused = takeGathered(gathering);
  gatherPatch(gathering, "a", { m: 9 });
  gatherDel(gathering, "c");
  putBack(gathering, refused);
  expect(takeGathered(gathering)).toMatchObject({ set: { a: { n: 2, m: 9 } }, patch: {}, del: ["c", "b"] });
});
