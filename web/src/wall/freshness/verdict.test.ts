import { describe, expect, it } from "vitest";
import { DIM_AFTER_MS, type FreshnessFacts, verdict } from "./verdict.ts";

const NOW = Date.parse("2026-11-22T05:05:00Z");
const at = (minutesAgo: number): string => new Date(NOW - minutesAgo * 60_000).toISOString();
const facts = (change: Partial<FreshnessFacts> = {}): FreshnessFacts => ({
  now: NOW,
  screen: "live",
  silentSince: null,
  withheld: null,
  relay: { upstream: "up", mqtt: "up", store: "embedded", since: at(60), heardAt: at(0) },
  devices: { total: 12, never: 0, fresh: 11, newestValue: at(0) },
  ...change,
});
const relay = { upstream: "up", mqtt: "off", store: "embedded", since: at(5), heardAt: at(5) } as const;

describe("freshness of a wall", () => {
  it("[wall] is current while every link delivers, also during a short break", () => {
    expect(verdict(facts())).toEqual({ kind: "live" });
    expect(verdict(facts({ screen: "reconnecting" }))).toEqual({ kind: "live" });
    expect(verdict(facts({ relay: { ...relay, upstream: "down", mqtt: "up" } }))).toEqual({ kind: "live" });
  });

  it("[wall] is stale after the relay is silent, with the time of the values", () => {
    const lost = facts({
      screen: "notLive",
      silentSince: NOW - 90_000,
      devices: { total: 2, never: 0, fresh: 2, newestValue: at(1) },
    });
    expect(verdict(lost)).toEqual({ kind: "stale", link: "screen", asOf: NOW - 90_000, dim: false });
  });

  it("[wall] names the relay's missing source if the relay answers without values", () => {
    const lost = facts({ screen: "notLive", silentSince: NOW, withheld: "upstream-down" });
    expect(verdict(lost)).toMatchObject({ link: "upstream", asOf: NOW });
    expect(verdict({ ...lost, withheld: "store-down" })).toMatchObject({ link: "store" });
    expect(verdict({ ...lost, screen: "ended" })).toMatchObject({ link: "screen" });
  });

  it("[wall] is stale while the farm server stores no readings, however recent the newest is", () => {
    const notStoring = { fault: "disk-full", since: at(2) } as const;
    expect(verdict(facts({ relay: { ...relay, notStoring } }))).toMatchObject({
      kind: "stale",
      link: "storage",
    });
  });

  it("[LINK-1] names the worst trouble of several, whatever else comes and goes", () => {
    const notStoring = { fault: "disk-full", since: at(2) } as const;
    for (const mqtt of ["up", "down", "off"] as const)
      for (const upstream of ["up", "degraded", "down", "clock"] as const)
        for (const stored of [{}, { notStoring }]) {
          const links = { ...relay, mqtt, upstream, ...stored };
          expect(verdict(facts({ relay: { ...links, store: "down" } }))).toMatchObject({ link: "store" });
          const expected =
            upstream === "down" && mqtt !== "up" ? "upstream" : "notStoring" in stored ? "storage" : null;
          const now = verdict(facts({ relay: links }));
          expect(now.kind === "stale" ? now.link : null).toBe(expected);
        }
  });

  it("[wall] is stale if all devices missed two intervals, although the socket is open", () => {
    const silent = facts({ devices: { total: 3, never: 1, fresh: 0, newestValue: at(9) } });
    expect(verdict(silent)).toEqual({ kind: "stale", link: "devices", asOf: NOW - 9 * 60_000, dim: false });
  });

  it("[wall] ignores devices without any reading", () => {
    expect(verdict(facts({ devices: { total: 2, never: 2, fresh: 0, newestValue: null } })).kind).toBe(
      "live",
    );
  });

  it("[wall] considers the store and the farm API", () => {
    expect(verdict(facts({ relay: { ...relay, store: "down" } }))).toMatchObject({ link: "store" });
    expect(verdict(facts({ relay: { ...relay, upstream: "down" } }))).toMatchObject({ link: "upstream" });
  });

  it("[wall] dims everything after ten minutes without data, and at once without any data", () => {
    const old = (ms: number) =>
      verdict(
        facts({
          screen: "notLive",
          silentSince: NOW - ms,
          devices: { total: 1, never: 0, fresh: 1, newestValue: at(0) },
        }),
      );
    expect(old(DIM_AFTER_MS - 1)).toMatchObject({ dim: false });
    expect(old(DIM_AFTER_MS)).toMatchObject({ dim: true });
    const devices = { total: 0, never: 0, fresh: 0, newestValue: null };
    const never = facts({ screen: "ended", devices: { ...devices, total: 1, never: 1 } });
    expect(verdict(never)).toEqual({ kind: "stale", link: "screen", asOf: null, dim: true });
    // The fleet's screen has no devices of its own: its values are those of the relay's last answer.
    const fleet = facts({ relay: { ...relay, store: "down", heardAt: at(1) }, devices });
    expect(verdict(fleet)).toMatchObject({ asOf: NOW - 60_000, dim: false });
  });
});
