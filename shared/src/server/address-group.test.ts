import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressGroup } from "./address-group.ts";

describe("groups of addresses", () => {
  it.each([
    ["198.51.100.1", "198.51.100.1"],
    ["::ffff:198.51.100.1", "198.51.100.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::9", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ])("[SHARE-1] %s belongs to %s", (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });

  it("[SHARE-1] puts all addresses of one home in one group of 56 bits, and no two homes", () => {
    const part = fc.integer({ min: 0, max: 0xffff });
    const addressOf = (home: readonly number[], rest: readonly number[]): string => {
      const [a = 0, b = 0, c = 0, d = 0] = home;
      const [e = 0, ...host] = rest;
      return [a, b, c, (d << 8) | (e & 0xff), ...host].map((group) => group.toString(16)).join(":");
    };
    const home = fc.tuple(part, part, part, fc.integer({ min: 0, max: 0xff }));
    const rest = fc.array(part, { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(home, home, rest, rest, (one, other, first, second) => {
        const group = addressGroup(addressOf(one, first), 56);
        expect(addressGroup(addressOf(one, second), 56)).toBe(group);
        const isSame = one.every((value, index) => value === other[index]);
        expect(addressGroup(addressOf(other, second), 56) === group).toBe(isSame);
      }),
    );
  });
});
