import { contactHistory } from "@mulkko/shared/testing/contact-history";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Presence, readPresence, silence } from "./presence.ts";

const SEED = 20_261_121;
const MINUTE = 60_000;

test("[FLIP-1] the API records the flips of generated histories, whenever it looks and restarts", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0 }), fc.integer({ min: 1, max: 600 }), (seed, lookMinutes) => {
      const history = contactHistory(seed);
      let presence: Presence | undefined;
      let lookAt = history.start;
      let count = 0;
      const look = (now: number): void => {
        const allowed = history.allowedAfter(count);
        if (presence && now - presence.heardAt >= allowed) presence = silence(presence, allowed);
      };
      for (const message of history.messages) {
        for (; lookAt <= message.heardAt; lookAt += lookMinutes * MINUTE) look(lookAt);
        // Each message is stored with a look before it: a silence that ended unseen is no flip.
        look(message.heardAt);
        presence = readPresence(presence, { ...message, isLive: false });
        count += 1;
        expect(presence.flip).toEqual(history.flipAt(message.heardAt));
      }
      look(history.end);
      expect(presence?.flip).toEqual(history.flipAt(history.end));
    }),
    { seed: SEED, numRuns: 500 },
  );
});
