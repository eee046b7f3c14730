import type { Link } from "@mulkko/shared/live/server-messages";
import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { createPageBench } from "../../testing/page-bench.tsx";
import { LiveLinkStrip } from "./LiveLinkStrip.tsx";

const AT = "2026-11-23T01:00:00Z";
const UP: Link = { t: "link", upstream: "up", mqtt: "up", store: "redis", since: AT, heardAt: AT };

describe("links in the header", () => {
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  it("[ONL-4] reports the farm's links as unknown while the relay's store is down", async () => {
    const page = await createPageBench();
    page.show(<LiveLinkStrip />);
    page.link("live");
    const states = () => screen.getAllByRole("listitem").map(({ dataset }) => dataset.state);
    const link = (change: Partial<Link>) =>
      act(() => page.live.client.link.setState({ relay: { ...UP, ...change } }));
    link({});
    expect(states()).toEqual(["up", "up"]);
    link({ store: "down" });
    expect(states()).toEqual(["up", "unknown"]);
    link({ upstream: "degraded" });
    expect(states()).toEqual(["up", "degraded"]);
    // It answers, although it stores no readings.
    link({ notStoring: { fault: "disk-full", since: AT } });
    expect(states()).toEqual(["up", "degraded"]);
  });
});
