import { describe, expect, it } from "vitest";
import { linkQuality, screenLink } from "./link.ts";

const facts = {
  now: 100_000,
  synced: true,
  everSynced: true,
  silentSince: 99_000,
  unanswered: false,
  lostAt: null,
  endedBy: null,
  withheld: false,
  wasNotLive: false,
};
const relay = {
  t: "link",
  upstream: "up",
  mqtt: "up",
  store: "embedded",
  since: "2026-11-21T03:00:00Z",
} as const;

describe("link", () => {
  it("[LIVE-1] is not live after 35 s without a message, even on an open connection", () => {
    expect(screenLink({ ...facts, silentSince: 65_001 }).state).toBe("live");
    expect(screenLink({ ...facts, silentSince: 65_000 }).state).toBe("notLive");
  });
  it("[LIVE-1] gives a broken connection 5 s to return", () => {
    expect(screenLink({ ...facts, synced: false, lostAt: 96_000 }).state).toBe("reconnecting");
    expect(screenLink({ ...facts, synced: false, lostAt: 95_000 }).state).toBe("notLive");
  });
  it("[LIVE-1] stays not live until it has what it missed", () => {
    expect(screenLink({ ...facts, synced: false, wasNotLive: true }).state).toBe("notLive");
    expect(screenLink({ ...facts, wasNotLive: true }).state).toBe("live");
  });
  it("[LIVE-1] also applies to a page that never reached the relay", () => {
    expect(screenLink({ ...facts, synced: false, everSynced: false }).state).toBe("starting");
    expect(screenLink({ ...facts, synced: false, everSynced: false, silentSince: 60_000 }).state).toBe(
      "notLive",
    );
  });
  it("[LIVE-1] is not live with a relay that answers without values, however often it is reached", () => {
    expect(screenLink({ ...facts, synced: false, withheld: true }).state).toBe("notLive");
  });
  it("[ONL-2] shows nothing better than the links allow", () => {
    const live = { state: "live" } as const;
    expect(linkQuality({ screen: live, relay })).toBe("fresh");
    expect(linkQuality({ screen: { state: "notLive" }, relay })).toBe("unknown");
    expect(linkQuality({ screen: live, relay: { ...relay, store: "down" } })).toBe("unknown");
    expect(linkQuality({ screen: live, relay: { ...relay, upstream: "down" } })).toBe("fresh");
    const notStoring = { fault: "database", since: relay.since } as const;
    expect(linkQuality({ screen: live, relay: { ...relay, notStoring } })).toBe("late");
    expect(linkQuality({ screen: live, relay: { ...relay, upstream: "down", mqtt: "off" } })).toBe("late");
  });
});
