import { contactTime } from "@mulkko/shared/rules/presence";
import { contactHistory } from "@mulkko/shared/testing/contact-history";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzing } from "../../testing/fuzz.ts";
import { createLinkMonitor } from "../upstream/link-monitor.ts";
import { PresenceWatch } from "./presence-watch.ts";

const KEY = "sensor:1";

test("[FLIP-1] the relay knows the flips of generated histories, as the API records them", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0 }), (seed) => {
      const history = contactHistory(seed);
      const clock = createFakeClock(history.start);
      const timers = createFakeTimers(clock);
      const link = createLinkMonitor({
        ...{ clock, timers, mqtt: "up", store: "embedded" },
        onError: (error) => {
          throw error;
        },
      });
      link.reachable(true);
      const watch = new PresenceWatch({
        ...{ clock, timers, link, pollInterval: () => null },
        reception: { isReceivedSince: () => true, isDoubtful: () => false },
        onDue: () => undefined,
        onChange: () => undefined,
        onSourceBack: () => undefined,
      });
      watch.watch(KEY);
      watch.silentSoFar(KEY);
      for (const message of history.messages) {
        timers.advance(message.heardAt - clock.now());
        const contact = contactTime(message);
        const regular = contact === message.heardAt;
        watch.reported(KEY, { heardAt: contact, regular, measuredAt: message.at });
        expect(watch.lastFlip(KEY)).toEqual(history.flipAt(message.heardAt));
      }
      timers.advance(history.end - clock.now());
      expect(watch.lastFlip(KEY)).toEqual(history.flipAt(history.end));
      watch.close();
    }),
    fuzzing(500),
  );
});
