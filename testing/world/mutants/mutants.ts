import type { Mutant } from "./mutant.ts";

/** The grave faults of earlier rounds of use. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: "opening-counted-from-its-reading",
    fault: "an opening that waited on the line was as young as the moment in which the relay read it",
    file: "relay/src/valves/routes.ts",
    find: "pressedAt: claimedAt === null ? arrivedAt : Math.min(claimedAt, arrivedAt),",
    replace: "pressedAt: arrivedAt,",
    breaks: "W-2",
  },
  {
    name: "close-sent-once",
    fault: "a close without an answer was sent once, and forgotten",
    file: "web/src/domain/valve/outbox.ts",
    find: "      if (under.signal.aborted) continue;",
    replace: '      if (entry.kind === "close") return this.#leave(id, { kind: "gone" });',
    breaks: "W-3",
  },
  {
    name: "lost-line-not-noticed",
    fault: "a controller whose connection broke stayed live",
    file: "api/src/mqtt/plugin.ts",
    find: "lost: (serial) => reportLine(deviceIndex.bySerial(serial), false),",
    replace: "lost: () => undefined,",
    breaks: "W-1",
  },
  {
    name: "no-alarm-past-the-end",
    fault: "water that ran past its end raised no urgent alarm",
    file: "relay/src/alarms/opening-alarms.ts",
    find: "return [[(end ?? cap) + OVERDUE_MS, 1]];",
    replace: "return [[cap, 1]];",
    breaks: "W-4",
  },
];
