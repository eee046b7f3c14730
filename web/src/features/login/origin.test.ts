import { describe, expect, it } from "vitest";
import { readLoginState } from "./origin.ts";

describe("login origin", () => {
  it("[login] leads back to where the person wanted to be", () => {
    expect(readLoginState({ origin: "/sensors?deviceType=AT", expired: true })).toEqual({
      origin: "/sensors?deviceType=AT",
      expired: true,
    });
  });
  it("[login] leads home from anything that is no page behind the login", () => {
    for (const origin of [
      "//evil.example",
      "https://evil.example",
      "/\\evil",
      "",
      null,
      7,
      "/login",
      "/logout",
    ]) {
      expect(readLoginState({ origin, expired: false }).origin).toBe("/dashboard");
    }
    expect(readLoginState(null).origin).toBe("/dashboard");
  });
});
