import { describe, expect, test } from "vitest";
import {
  decideRefresh,
  type FoundToken,
  passwordChangeFaults,
  passwordFault,
  REFRESH_TOKEN_MS,
  ROTATION_GRACE_MS,
  registrationFaults,
} from "./rules.ts";

const NOW = 1_800_000_000_000;
const token = (change: Partial<FoundToken> = {}): FoundToken => ({
  generation: 3,
  expiresAt: NOW + REFRESH_TOKEN_MS,
  rotatedAt: null,
  sessionGeneration: 3,
  sessionRevoked: false,
  accountDisabled: false,
  ...change,
});

describe("[account] refresh", () => {
  test.each<[string, Partial<FoundToken>, string]>([
    ["the newest token", {}, "rotate"],
    ["the one before, within its grace", { generation: 2, rotatedAt: NOW - ROTATION_GRACE_MS }, "repeat"],
    ["the one before, after its grace", { generation: 2, rotatedAt: NOW - ROTATION_GRACE_MS - 1 }, "revoke"],
    ["an older one", { generation: 1, rotatedAt: NOW - 1_000 }, "revoke"],
    ["an expired one", { expiresAt: NOW }, "refuse"],
    ["one of a revoked session", { sessionRevoked: true }, "refuse"],
    ["an old one of a revoked session", { sessionRevoked: true, generation: 1 }, "refuse"],
    ["one of a disabled account", { accountDisabled: true }, "refuse"],
  ])("[account] %s: %o → %s", (_case, change, kind) => {
    expect(decideRefresh(token(change), NOW).kind).toBe(kind);
  });
});

describe("[account] registration", () => {
  test.each([
    ["abcd", "longEnough1", "username"],
    ["seventeen-letters", "longEnough1", "username"],
    ["name with space", "longEnough1", "username"],
    ["good-name", "short1!", "password"],
    ["good-name", "x7".repeat(33), "password"],
    ["good-name", "password1", "password"],
    ["good-name", "mulkko2026!", "password"],
  ])("[account] %s with %s is refused for its %s", (username, password, field) => {
    const faults = registrationFaults(username, password, "mulkko2026!");
    expect(faults.map((fault) => fault.field)).toEqual([field]);
  });

  test("[account] accepts a name and a password within the limits", () => {
    expect(registrationFaults("good_name-1", "Mulkko+2027!", "mulkko2026!")).toEqual([]);
  });

  test("[account] reports both faults together, each as a sentence", () => {
    expect(registrationFaults("no", "no", null)).toEqual([
      {
        field: "username",
        defaultMessage: "The user name must have 5 to 16 letters, digits, underscores or hyphens.",
      },
      {
        field: "password",
        defaultMessage: "The password must have 8 to 64 characters and no control characters.",
      },
    ]);
  });

  test("[account] a password set by an administrator may have five characters", () => {
    expect(["h4rr0", "harrow ".repeat(9)].map((text) => passwordFault(text, 5, null))).toEqual([null, null]);
    expect(passwordFault("h4rr", 5, null)).toMatch(/must have 5 to 64/);
    expect(passwordFault("harrow ".repeat(10), 5, null)).toMatch(/must have 5 to 64/);
  });

  test("[account] a password may be a sentence in any language", () => {
    for (const text of ["우리 밭 물은 아침 6시", "我家的田每天浇水", "the bean field; 'dry' at six"]) {
      expect(passwordFault(text, 8, null), text).toBeNull();
    }
    expect(passwordFault("with\u0007bell 99", 8, null)).toMatch(/control characters/);
  });

  test("[account] refuses common passwords and one repeated character, ignoring case", () => {
    for (const text of ["12345678", "password", "Password1", "QWERTY123", "aaaaaaaa", "ㅋㅋㅋㅋㅋㅋㅋㅋ"]) {
      expect(passwordFault(text, 8, null), text).toBe("This password is too common.");
    }
  });
});

test("[account] requires a matching confirmation, and reports both faults", () => {
  expect(passwordChangeFaults("h4rr0", "h4rr0", null)).toEqual([]);
  expect(passwordChangeFaults("demo-pass", "demo-pass", "demo-pass")).toHaveLength(1);
  expect(passwordChangeFaults("1234", "4321", null).map(({ field }) => field)).toEqual([
    "newPassword",
    "confirmPassword",
  ]);
});
