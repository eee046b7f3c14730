import { describe, expect, it } from "vitest";
import { readLoginState } from "./LoginPage.tsx";

describe("login origin", () => {
  it("[login] leads back to the requested page", () => {
    expect(readLoginState({ origin: "/sensors?deviceType=AT", reason: "expired" })).toEqual({
      origin: "/sensors?deviceType=AT",
      reason: "expired",
    });
  });
  it("[login] leads to the home page for an origin that is not behind the login", () => {
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
      expect(readLoginState({ origin, reason: "left" }).origin).toBe("/");
    }
    expect(readLoginState(null).origin).toBe("/");
  });
});
