import { describe, expect, it } from "vitest";
import { clientAddress, createTrust } from "./trusted-proxies.ts";

describe("clientAddress", () => {
  const trust = createTrust(["10.0.0.0/8", "192.0.2.7", "fd00::/8"]);

  it("[proxy] trusts no proxy by default", () => {
    expect(clientAddress("203.0.113.9", "1.2.3.4", createTrust([]))).toBe("203.0.113.9");
  });

  it("[proxy] returns the nearest address that is no trusted proxy", () => {
    expect(clientAddress("10.1.2.3", "6.6.6.6, 198.51.100.4, 192.0.2.7", trust)).toBe("198.51.100.4");
    expect(clientAddress("::ffff:10.1.2.3", "198.51.100.4", trust)).toBe("198.51.100.4");
    expect(clientAddress("fd00::1", "2001:db8::5", trust)).toBe("2001:db8::5");
  });

  it("[proxy] ignores the header of an untrusted sender", () => {
    expect(clientAddress("203.0.113.9", "10.0.0.1", trust)).toBe("203.0.113.9");
  });

  it("[proxy] returns the farthest address if all are trusted proxies", () => {
    expect(clientAddress("10.0.0.1", "10.0.0.2", trust)).toBe("10.0.0.2");
    expect(clientAddress("10.0.0.1", undefined, trust)).toBe("10.0.0.1");
  });
});
