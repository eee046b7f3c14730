import { describe, expect, test } from "vitest";
import {
  decideRefresh,
  type FoundToken,
  REFRESH_TOKEN_MS,
  ROTATION_GRACE_MS,
  registrationFault,
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
    expect(registrationFault(username, password, "mulkko2026!")?.field).toBe(field);
  });

  test("[account] a name and a password within the limits are taken", () => {
    expect(registrationFault("good_name-1", "Mulkko+2027!", "mulkko2026!")).toBeNull();
  });
});
