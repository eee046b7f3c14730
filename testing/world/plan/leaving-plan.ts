import { seededRandom } from "@mulkko/shared/testing/random";
import { Type } from "typebox";
import { between, pick, troubleMs } from "./draw.ts";

/** A person lets the relay not watch the account any more while no user is signed in, until the next sign-in. */
export const StopWatchingHappening = Type.Object({
  kind: Type.Literal("stop-watching"),
  who: Type.Optional(Type.Enum(["kim", "lee"])),
});

/** Own stream of random numbers; no seed that docs name has any. */
const STREAM = 55_400_001;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Share of the worlds with a plain farm API in which people log out. */
const SHARE = 0.6;
const RUNS_S = [60, 300, 900] as const;

/**
 * Draw who logs out in front of a plain farm API: mostly while a valve runs whose end the relay keeps, and mostly from an
 * account that the relay then watches no more, so that the log-out is the end of its means.
 *
 * @param end after which nothing happens, ms since the start
 */
export function drawLogOuts(seed: number, people: readonly ("kim" | "lee")[], end: number) {
  const random = seededRandom(seed + STREAM);
  const happenings = [];
  const times = random() < SHARE ? pick(random, [1, 2, 4]) : 0;
  for (let one = 0; one < times; one += 1) {
    const person = pick(random, people);
    const at = between(random, 3 * MINUTE, Math.max(4 * MINUTE, end - 2 * MINUTE));
    const valve = between(random, 1, 2);
    if (random() < 0.8)
      happenings.push({
        at: at - between(random, 5 * SECOND, 30 * SECOND),
        kind: "stop-watching",
        who: person,
      } as const);
    if (random() < 0.9) {
      const openedAt =
        at - pick(random, [between(random, 0, 9 * SECOND), between(random, 9 * SECOND, 40 * SECOND)]);
      const seconds = pick(random, RUNS_S);
      const who = random() < 0.8 ? person : pick(random, people);
      happenings.push({ at: openedAt, kind: "open", who, valve, seconds } as const);
    }
    happenings.push({ at, kind: "log-out", person, ms: between(random, 20 * SECOND, 3 * MINUTE) } as const);
    if (random() < 0.5) {
      const line = pick(random, [
        "phone-relay",
        "relay-api",
        "controller-broker",
        "controller-broker",
      ] as const);
      const direction = pick(random, ["there", "back", "both"] as const);
      const ms = troubleMs(random);
      const from = at + between(random, -4 * SECOND, 8 * SECOND);
      const trouble = pick(random, [
        { kind: "hold", line, direction, ms } as const,
        { kind: "cut", line, ms } as const,
        { kind: "kill", machine: "relay", ms: between(random, SECOND, 20 * SECOND) } as const,
      ]);
      happenings.push({ at: from, ...trouble });
    }
  }
  return happenings.filter(({ at }) => at > 0 && at < end);
}
