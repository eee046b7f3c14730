import { describe, expect, it } from "vitest";
import { isAlarmed, mayReload } from "./stale-build.ts";

const quiet = { commanding: false, alarmed: false, editing: false, inHands: false };
const facts = { own: "a", served: "b", reloadedFor: null, ...quiet };

describe("stale build", () => {
  it("[HS-4] reloads for another build, at a quiet moment only", () => {
    expect(mayReload(facts)).toBe(true);
    expect(mayReload({ ...facts, commanding: true })).toBe(false);
    expect(mayReload({ ...facts, alarmed: true })).toBe(false);
    expect(mayReload({ ...facts, editing: true })).toBe(false);
    expect(mayReload({ ...facts, inHands: true })).toBe(false);
  });
  it("[HS-4] does not reload for its own build, an unknown one, or one it has reloaded for", () => {
    expect(mayReload({ ...facts, served: "a" })).toBe(false);
    expect(mayReload({ ...facts, served: null })).toBe(false);
    expect(mayReload({ ...facts, reloadedFor: "b" })).toBe(false);
    expect(mayReload({ ...facts, own: "dev" })).toBe(false);
  });
  it("[HS-4] waits only for active alarms of the highest priority", () => {
    const alarms = (priority: 1 | 2, active: boolean) => new Map([["a", { priority, active }]]);
    expect(isAlarmed(alarms(1, true))).toBe(true);
    expect(isAlarmed(alarms(1, false))).toBe(false);
    expect(isAlarmed(alarms(2, true))).toBe(false);
  });
});
