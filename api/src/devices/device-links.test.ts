import fc from "fast-check";
import { expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { createDeviceLinks, linkOf } from "./device-links.ts";

test.each([
  [{ online: null, saidArrival: null, receivedArrival: null }, "up"],
  [{ online: true, saidArrival: 10, receivedArrival: null }, "up"],
  [{ online: false, saidArrival: 10, receivedArrival: null }, "lost"],
  [{ online: false, saidArrival: 10, receivedArrival: 9 }, "lost"],
  [{ online: false, saidArrival: 10, receivedArrival: 10 }, "lost"],
  [{ online: false, saidArrival: 10, receivedArrival: 11 }, "up"],
] as const)("[ONL-1] %o: the link is %s", (line, link) => {
  expect(linkOf(line)).toBe(link);
});

/** An event of the connection of a controller with three channels, or of the broker. */
const happening = fc.oneof(
  fc.record({ kind: fc.constant("status" as const), online: fc.boolean() }),
  fc.record({ kind: fc.constant("report" as const), number: fc.constantFrom(1, 2, 3) }),
  fc.constant({ kind: "broker-restarts" as const }),
);

test("[LINK-3] a channel is of before the loss from each loss until its own next report", async () => {
  const database: Pick<Database, "query"> = { query: async () => [] };
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 20 }), async (happenings) => {
      const links = createDeviceLinks(database);
      const before = new Set<number>();
      const loseAll = (): void => {
        for (const number of [1, 2, 3]) before.add(number);
      };
      for (const [place, one] of happenings.entries()) {
        const arrival = place + 1;
        if (one.kind === "report") {
          links.received("box", [one.number], arrival);
          before.delete(one.number);
        } else if (one.kind === "broker-restarts") {
          links.lostAll();
          loseAll();
        } else {
          const wasLost = linkOf(links.of("box")) === "lost";
          await links.reported("box", one.online, arrival, arrival);
          if (!one.online && !wasLost) loseAll();
        }
        const found = [1, 2, 3].filter((number) => links.ofChannel("box", number).isBeforeLoss);
        expect(found).toEqual([...before].toSorted());
      }
    }),
  );
});
