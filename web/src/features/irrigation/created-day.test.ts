import { describe, expect, it } from "vitest";
import { createdDay } from "./farm-list.ts";

describe("creation date", () => {
  it("[spec 2] is shown as its day, and omitted if the API does not provide it", () => {
    expect(createdDay("2026-11-21 14:04:03")).toBe("2026-11-21");
    expect(createdDay("2026-11-21T14:04:03Z")).toBe("2026-11-21");
    expect(createdDay(null)).toBeNull();
    expect(createdDay("yesterday")).toBeNull();
  });
});
