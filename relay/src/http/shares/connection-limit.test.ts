import { describe, expect, it } from "vitest";
import { createConnectionLimit } from "./connection-limit.ts";

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
});
