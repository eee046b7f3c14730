import type { Random } from "@mulkko/shared/rules/clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import { type Static, Type } from "typebox";
import { around, between, pick } from "./draw.ts";

/** Servers whose wall clock may be wrong: the farm API's machine, or one machine with the farm API and the relay. */
const SERVERS = ["api", "both"] as const;
export type ServerClockOwner = (typeof SERVERS)[number];

/** A server's clock that is ahead by `offsetMs` from the start, and runs faster by a share of `drift`. */
export const ServerClock = Type.Object({
  of: Type.Enum(SERVERS),
  offsetMs: Type.Number(),
  drift: Type.Number(),
});
export type ServerClock = Static<typeof ServerClock>;

/** A server's wall clock is set by so many ms; its monotonic clock goes on. */
export const SetServerClock = Type.Object({
  kind: Type.Literal("set-server-clock"),
  of: Type.Enum(SERVERS),
  byMs: Type.Number(),
});

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** A stream of its own, so that everything else of a world stays as it was. */
const STREAM = 52_000_001;
const RELAY_STREAM = 52_000_002;
/** Share of the worlds with a bundled farm API in which the clock of its machine is wrong, or is set. */
const SHARE = 0.3;
/** Share of these whose relay is on the same machine. */
const ONE_MACHINE = 0.5;

/** Offsets of a clock that is wrong from the start, ms: without NTP, or before its first answer. */
const OFFSETS_MS = [0, 0, 0, 5 * SECOND, -5 * SECOND, 40 * SECOND, -40 * SECOND, 90 * SECOND, -90 * SECOND];
/** Steps by NTP, by hand, and of a virtual machine that wakes, ms. */
const STEPS_MS = [
  ...[SECOND, -SECOND, 30 * SECOND, -30 * SECOND],
  ...[10 * MINUTE, -10 * MINUTE, 60 * MINUTE, -60 * MINUTE],
];
/** How far behind a machine without a battery clock starts: at its last shutdown, or in its first year, ms. */
const BEHIND_MS = [20 * MINUTE, DAY, 200 * DAY, 20_000 * DAY];

type Drawn = { readonly at: number } & (
  | Static<typeof SetServerClock>
  | { readonly kind: "kill"; readonly machine: "api" | "relay"; readonly ms: number }
  | { readonly kind: "open"; readonly who: "kim"; readonly valve: number; readonly seconds: number }
  | {
      readonly kind: "hold";
      readonly line: "controller-broker";
      readonly direction: "back";
      readonly ms: number;
    }
);

/** The servers' clocks of a world. */
interface DrawnServerClocks {
  readonly serverClock: ServerClock;
  readonly happenings: readonly Drawn[];
}

/** Draw a time that is often near another happening, ms since the start. */
function drawNear(random: Random, others: readonly { readonly at: number }[], end: number): number {
  const other = others.length > 0 && random() < 0.7 ? pick(random, others).at : random() * end;
  return around(random, other, end);
}

/**
 * Draw when the clock of a relay in front of a plain farm API is set: often in a run, whose end only the relay keeps.
 *
 * @param end of the last happening, ms since the start
 */
export function drawRelaySteps(
  seed: number,
  others: readonly { readonly at: number; readonly kind: string }[],
  end: number,
): readonly {
  readonly at: number;
  readonly kind: "set-clock";
  readonly of: "relay";
  readonly byMs: number;
}[] {
  const random = seededRandom(seed + RELAY_STREAM);
  const steps = pick(random, [0, 0, 0, 1, 2, 3]);
  const openings = others.filter(({ kind }) => kind === "open");
  const draw = (): number =>
    openings.length > 0 && random() < 0.5
      ? Math.min(end, pick(random, openings).at + between(random, 2 * SECOND, 25 * SECOND))
      : drawNear(random, others, end);
  return Array.from({ length: steps }, () => ({
    ...{ at: draw(), kind: "set-clock", of: "relay" },
    byMs: pick(random, STEPS_MS),
  }));
}

/**
 * Draw what is wrong with the servers' clocks; null where nothing is.
 *
 * @param others what happens anyway: steps are often near it
 * @param end of the last happening, ms since the start
 */
export function drawServerClocks(
  seed: number,
  others: readonly { readonly at: number }[],
  end: number,
): DrawnServerClocks | null {
  const random = seededRandom(seed + STREAM);
  if (random() >= SHARE) return null;
  const of = random() < ONE_MACHINE ? "both" : "api";
  const near = (): number => drawNear(random, others, end);
  const happenings: Drawn[] = [];
  const steps = pick(random, [0, 1, 2, 3]);
  for (let one = 0; one < steps; one += 1)
    happenings.push({ at: near(), kind: "set-server-clock", of, byMs: pick(random, STEPS_MS) });
  if (random() < 0.4) {
    // A power cut: the machine starts in the past, and NTP sets it.
    const at = near();
    const behind = pick(random, BEHIND_MS);
    const ms = between(random, 5 * SECOND, 30 * SECOND);
    const machines = of === "both" ? (["api", "relay"] as const) : (["api"] as const);
    for (const machine of machines) happenings.push({ at, kind: "kill", machine, ms });
    happenings.push({ at, kind: "set-server-clock", of, byMs: -behind });
    const rightAt = at + ms + between(random, MINUTE, 5 * MINUTE);
    happenings.push({ at: rightAt, kind: "set-server-clock", of, byMs: behind });
  }
  const serverClock: ServerClock = {
    of,
    offsetMs: pick(random, OFFSETS_MS),
    drift: pick(random, [-1e-4, 0, 0, 1e-4]),
  };
  // An opening that waits on its way for longer than it counts: its controller must see by its own clock that it is late.
  const waits = pick(random, [0, 0, 1, 2]);
  for (let one = 0; one < waits; one += 1) {
    const at = MINUTE + Math.round(random() * Math.max(0, end - 2 * MINUTE));
    // Longer than an opening counts, and hardly longer than a connection lives without an answer.
    const ms = between(random, 26 * SECOND, 30 * SECOND);
    const byMs = pick(random, [40 * SECOND, 10 * MINUTE]);
    happenings.push({ at: at - 20 * SECOND, kind: "set-server-clock", of, byMs });
    happenings.push({ at: at + MINUTE, kind: "set-server-clock", of, byMs: -byMs });
    happenings.push({ at, kind: "hold", line: "controller-broker", direction: "back", ms });
    const [valve, seconds] = [pick(random, [1, 2]), pick(random, [60, 300])];
    happenings.push({ at: at + between(random, 50, 900), kind: "open", who: "kim", valve, seconds });
  }
  return { serverClock, happenings };
}
