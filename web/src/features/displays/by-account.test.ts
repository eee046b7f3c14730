import type { Display } from "@mulkko/shared/rest/displays";
import { buildDisplaySettings } from "@mulkko/shared/testing/builders";
import { describe, expect, it } from "vitest";
import { byAccount } from "./by-account.ts";

const screen = (id: string, account: number, username: string | null): Display => ({
  id,
  account,
  username,
  settings: buildDisplaySettings(),
  createdAt: "2026-11-22T03:00:00.000Z",
  lastSeenAt: null,
  connected: false,
});

describe("displays of an administrator", () => {
  it("[displays] are grouped by account: the own one first, then by name, each in the given order", () => {
    const all = [
      screen("d1", 3, "orchard"),
      screen("d2", 1, "admin"),
      screen("d3", 2, "farmer"),
      screen("d4", 3, "orchard"),
      screen("d5", 4, null),
    ];
    expect(
      byAccount(all, "1").map(({ username, displays }) => [username, ...displays.map(({ id }) => id)]),
    ).toEqual([
      [null, "d2"],
      ["4", "d5"],
      ["farmer", "d3"],
      ["orchard", "d1", "d4"],
    ]);
  });

  it("[displays] of one account have no account heading", () => {
    expect(byAccount([screen("d1", 1, "admin")], "1").map(({ username }) => username)).toEqual([null]);
    expect(byAccount([], "1")).toEqual([]);
  });
});
