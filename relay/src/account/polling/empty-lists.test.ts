import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { expect, test } from "vitest";
import { createEmptyLists } from "./empty-lists.ts";

test("[POLL-9] trusts an empty list that had rows once it has been empty for 75 s", () => {
  const clock = createFakeClock();
  const lists = createEmptyLists(clock);
  expect(lists.isBelieved("sensors", 3, false)).toBe(true);
  expect(lists.isBelieved("sensors", 0, true)).toBe(false);
  clock.advance(60_000);
  expect(lists.isBelieved("sensors", 0, true)).toBe(false);
  expect(lists.isBelieved("sensors", 3, true)).toBe(true);
  expect(lists.isBelieved("sensors", 0, true)).toBe(false);
  clock.advance(75_000);
  expect(lists.isBelieved("sensors", 0, true)).toBe(true);
});

test("[POLL-9] trusts an empty list at once if it had no rows, and after a write of the account", () => {
  const lists = createEmptyLists(createFakeClock());
  expect(lists.isBelieved("farms", 0, false)).toBe(true);
  lists.wrote("farms");
  expect(lists.isBelieved("farms", 0, true)).toBe(true);
});
