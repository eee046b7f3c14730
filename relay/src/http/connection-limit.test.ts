import { describe, expect, it } from "vitest";
import { addressGroup, createConnectionLimit } from "./connection-limit.ts";

describe("createConnectionLimit", () => {
  it("[gateway] counts by address and in total, and releases a place once", () => {
    const limit = createConnectionLimit(2, 3);
    const first = limit.acquire("198.51.100.1");
    limit.acquire("198.51.100.1");
    expect(limit.acquire("198.51.100.1")).toBeUndefined();
    limit.acquire("198.51.100.2");
    expect(limit.acquire("198.51.100.3")).toBeUndefined();
    first?.();
    first?.();
    expect(limit.acquire("198.51.100.1")).toBeDefined();
    expect(limit.acquire("198.51.100.1")).toBeUndefined();
  });

  it.each([
    ["198.51.100.1", "198.51.100.1"],
    ["::ffff:198.51.100.1", "198.51.100.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::9", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ])("[gateway] %s belongs to %s", (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});
