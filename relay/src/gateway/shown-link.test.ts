import { SETTLED_MS } from "@mulkko/shared/rules/link-trouble";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import { expect, test } from "vitest";
import { createFakeLink } from "../../testing/fake-link.ts";
import type { LinkState } from "../upstream/link-monitor.ts";
import { ShownLink } from "./shown-link.ts";

test("[LINK-1] sends one state while the store comes and goes every five seconds", () => {
  const clock = createFakeClock();
  const timers = createFakeTimers(clock);
  const link = createFakeLink(clock.now());
  const onError = (error: unknown): never => {
    throw error;
  };
  const shown = new ShownLink({ link, clock, timers, onError });
  const sent: LinkState["store"][] = [];
  shown.listen(({ store }) => sent.push(store));
  for (let n = 0; n < 20; n += 1) {
    link.become({ store: n % 2 === 0 ? "down" : "embedded" });
    timers.advance(5_000);
  }
  expect(sent).toEqual(["down"]);
  expect([link.state.store, shown.state.store]).toEqual(["embedded", "down"]);
  timers.advance(SETTLED_MS - 5_000);
  expect(sent).toEqual(["down", "embedded"]);
  link.become({ upstream: "down" });
  shown.close();
  link.become({ store: "down" });
  timers.advance(2 * SETTLED_MS);
  expect(shown.state).toMatchObject({ upstream: "down", store: "embedded" });
});
