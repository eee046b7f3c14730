import { describe, expect, it } from "vitest";
import { keyGroups, tryLine } from "./device-key-text.ts";

const KEY = "0123456789abcdef0123456789abcdef";

describe("device key", () => {
  it("[devices] is read in groups of four, and nothing of it is lost", () => {
    expect(keyGroups(KEY)).toHaveLength(8);
    expect(keyGroups(KEY)[3]).toBe("cdef");
    expect(keyGroups("12345")).toEqual(["1234", "5"]);
    expect(keyGroups(KEY).join("")).toBe(KEY);
  });

  it("[devices] the line to try it speaks to the broker as the device", () => {
    expect(tryLine("farm.local", "24119999", KEY)).toBe(
      `mosquitto_pub -h farm.local -u 24119999 -P ${KEY} -t mulkko/24119999/up -m '{"battery": 90}'`,
    );
  });
});
