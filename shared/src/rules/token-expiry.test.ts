import { describe, expect, it } from "vitest";
import { OPAQUE_TOKEN_MS, tokenExpiry } from "./token-expiry.ts";

const jwt = (payload: unknown) =>
  `h.${btoa(JSON.stringify(payload)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}.s`;

describe("token expiry", () => {
  it("[AUTH-1] reads the end of a JWT", () => {
    expect(tokenExpiry(jwt({ exp: 2_000, name: "?>~" }), 1_400_000)).toBe(2_000_000);
    expect(tokenExpiry(jwt({ exp: 1_000 }), 1_400_000)).toBe(1_000_000);
  });
  it("[AUTH-1] reads it beside letters outside Latin-1", () => {
    const payload = Buffer.from(JSON.stringify({ exp: 2_000, name: "김철수" })).toString("base64url");
    expect(tokenExpiry(`h.${payload}.s`, 0)).toBe(2_000_000);
  });
  it("[AUTH-1] assumes 1,800 s for any other token", () => {
    for (const token of ["opaque", "a.b.c", "a.!!.c", jwt({}), jwt("x")]) {
      expect(tokenExpiry(token, 5_000)).toBe(5_000 + OPAQUE_TOKEN_MS);
    }
  });
  it("[AUTH-1] assumes the lifetime that the contract states for the token, unless it has an end", () => {
    expect(tokenExpiry("opaque", 5_000, 600_000)).toBe(605_000);
    expect(tokenExpiry(jwt({ exp: 2_000 }), 5_000, 600_000)).toBe(2_000_000);
  });
});
