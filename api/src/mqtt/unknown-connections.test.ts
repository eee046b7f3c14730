import { expect, test } from "vitest";
import { UnknownConnections } from "./unknown-connections.ts";

const named = (name: string) => ({ name });

test("[SHARE-7] where too many connections have shown no key, the address with most of them loses its oldest", () => {
  const unknown = new UnknownConnections<{ name: string }>(4);
  const [a, b, c, d, e, f, g] = ["a", "b", "c", "d", "e", "f", "g"].map(named);
  if (!a || !b || !c || !d || !e || !f || !g) throw new Error("a name is missing");
  // Three of one home, one of another.
  for (const one of [a, b, c]) expect(unknown.add(one, `2001:db8::${one.name}`)).toBeNull();
  expect(unknown.add(d, "10.0.0.1")).toBeNull();
  expect(unknown.add(e, "10.0.0.2")).toBe(a);
  expect(unknown.add(f, "10.0.0.2")).toBe(b);
  // One that has shown its key, or has ended, makes room once.
  unknown.remove(f);
  unknown.remove(f);
  unknown.remove(a);
  expect(unknown.add(g, "10.0.0.3")).toBeNull();
  expect(unknown.add(a, "10.0.0.3")).toBe(g);
});
