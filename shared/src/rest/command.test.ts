import { describe, expect, it } from "vitest";
import { parse } from "../schema/parse.ts";
import { FleetCloseBody } from "./command.ts";

const close = { accountId: "a1", controllerId: "c1", channelId: "11", reason: "Runs since 03:10" };
const accepts = (body: unknown): boolean => parse(FleetCloseBody, body).ok;

describe("close by an administrator", () => {
  it("[CMD-21] accepts a valve of an account with a reason, and the time of the press", () => {
    expect(accepts(close)).toBe(true);
    expect(accepts({ ...close, pressedAt: "2026-11-21T05:04:03.120Z" })).toBe(true);
  });

  it("[CMD-21] refuses a close without a reason", () => {
    for (const reason of [undefined, null, "", "   ", "x".repeat(201)]) {
      expect(accepts({ ...close, reason })).toBe(false);
    }
  });

  it("[CMD-21] refuses a body with any other field, such as a target", () => {
    for (const more of [
      { target: 1 },
      { payload: 1 },
      { command: "onoff" },
      { maxRunSeconds: 60 },
      { x: 1 },
    ]) {
      expect(accepts({ ...close, ...more })).toBe(false);
    }
  });
});
