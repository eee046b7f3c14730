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
    ["good-name", "seventeen-letters", "password"],
    ["good-name", "with space1", "password"],
    ["good-name", "mulkko2026!", "password"],
  ])("[account] %s with %s is refused for its %s", (username, password, field) => {
    const faults = registrationFaults(username, password, "mulkko2026!");
    expect(faults.map((fault) => fault.field)).toEqual([field]);
  });

  test("[account] a name and a password within the limits are taken", () => {
    expect(registrationFaults("good_name-1", "Mulkko+2027!", "mulkko2026!")).toEqual([]);
  });

  test("[account] both faults are told together, each as a sentence", () => {
    expect(registrationFaults("no", "no", null)).toEqual([
      {
        field: "username",
        defaultMessage: "The user name must have 5 to 16 letters, digits, underscores or hyphens.",
      },
      {
        field: "password",
        defaultMessage:
          "The password must have 8 to 16 letters, digits or characters of ~!@#$%^&*()+_|<>?:{}.",
      },
    ]);
  });

  test("[account] a password that an administrator sets may have five characters", () => {
    expect(["12345", "1234567890123456"].map((text) => passwordFault(text, 5, null))).toEqual([null, null]);
    expect(passwordFault("1234", 5, null)).toMatch(/must have 5 to 16/);
    expect(passwordFault("12345678901234567", 5, null)).toMatch(/must have 5 to 16/);
  });
});

test("[account] a new password and its confirmation are the same, and both faults are told", () => {
  expect(passwordChangeFaults("12345", "12345", null)).toEqual([]);
  expect(passwordChangeFaults("demo-pass", "demo-pass", "x")).toHaveLength(1);
  expect(passwordChangeFaults("1234", "4321", null).map(({ field }) => field)).toEqual([
    "newPassword",
    "confirmPassword",
  ]);
});
