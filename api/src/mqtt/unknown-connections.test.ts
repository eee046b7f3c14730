import { expect, test } from "vitest";
import { UnknownConnections } from "./unknown-connections.ts";

test("[SHARE-7] connections without a key have a number by address group and in total, until they show one or end", () => {
  const unknown = new UnknownConnections(2, 4);
  const [a, b, c] = [{}, {}, {}];
  expect([unknown.add(a, "2001:db8::1"), unknown.add(b, "2001:db8::2")]).toEqual([true, true]);
  expect(unknown.add(c, "2001:db8::3")).toBe(false);
  unknown.remove(a);
  unknown.remove(a);
  unknown.remove(c);
  expect(unknown.add(c, "2001:db8::3")).toBe(true);
  expect(unknown.add({}, "10.0.0.1")).toBe(true);
  expect(unknown.add({}, "10.0.0.2")).toBe(true);
  expect(unknown.add({}, "10.0.0.3")).toBe(false);
  unknown.remove(b);
  expect(unknown.add({}, "10.0.0.3")).toBe(true);
});
