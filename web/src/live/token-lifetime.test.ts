import { describe, expect, it } from "vitest";
import { OPAQUE_TOKEN_SECONDS, tokenLifetime } from "./token-lifetime.ts";

const jwt = (payload: unknown) =>
  `h.${btoa(JSON.stringify(payload)).replaceAll("+", "-").replaceAll("/", "_")}.s`;

describe("token lifetime", () => {
  it("[AUTH-1] reads the end of a JWT, relative to the server's clock", () => {
    expect(tokenLifetime(jwt({ exp: 2_000, name: "?>~" }), 1_400_000)).toBe(600);
    expect(tokenLifetime(jwt({ exp: 1_000 }), 1_400_000)).toBe(0);
  });
  it("[AUTH-1] assumes 1,800 s for any other token", () => {
    for (const token of ["opaque", "a.b.c", "a.!!.c", jwt({}), jwt("x")]) {
      expect(tokenLifetime(token, 0)).toBe(OPAQUE_TOKEN_SECONDS);
    }
  });
});
