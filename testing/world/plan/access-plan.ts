import type { Random } from "@mulkko/shared/rules/clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import { Type } from "typebox";
import { between, pick, troubleMs } from "./draw.ts";

/**
 * Screens beside those of the account of kim and lee: a wall of theirs, the phone of an administrator, and that of a
 * person of another account.
 */
export const FURTHER = ["wall", "park", "choi"] as const;
export type FurtherName = (typeof FURTHER)[number];

/** Lines of further screens; they exist only with their screens. */
export const FURTHER_LINES = ["wall-relay", "park-relay", "choi-relay"] as const;

/** A further screen, whose clock is ahead by `offsetMs`, and runs faster by a share of `drift`. */
export const FurtherScreen = Type.Object({
  name: Type.Enum(FURTHER),
  offsetMs: Type.Number(),
  drift: Type.Number(),
});

const Ms = Type.Number({ minimum: 0 });
/** How an administrator's call reaches the farm API: through the relay, which learns it first, or past it. */
const Via = Type.Enum(["relay", "api"]);

/** Ways in which access ends; after `ms` it begins again. */
export const ACCESS_HAPPENINGS = [
  /** An administrator suspends the account, and lifts it. */
  Type.Object({ kind: Type.Literal("suspend"), via: Via, ms: Ms }),
  /** The account gets another password; its walls are paired again. */
  Type.Object({ kind: Type.Literal("new-password"), ms: Ms }),
  /** An administrator deletes the account, and restores it. */
  Type.Object({ kind: Type.Literal("delete"), via: Via, ms: Ms }),
  /** A person logs out on the own phone. */
  Type.Object({
    kind: Type.Literal("log-out"),
    person: Type.Enum(["kim", "lee"]),
    ms: Ms,
  }),
  /** The wall is revoked, and paired again. */
  Type.Object({ kind: Type.Literal("revoke-wall"), ms: Ms }),
  /** The wall has no power. */
  Type.Object({ kind: Type.Literal("wall-power"), ms: Ms }),
] as const;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Own stream of random numbers, so that what other parts of a plan draw stays as it is. */
const STREAM = 770_001;

const OFFSETS_MS = [0, 0, -4_000, 25_000, -3 * 60 * MINUTE, 40 * 24 * 60 * MINUTE] as const;
const DRIFTS = [-1e-4, 0, 0, 1e-4] as const;

const awayMs = (random: Random): number => between(random, 15 * SECOND, 3 * MINUTE);

type EndOfAccess = { readonly ms: number } & (
  | { readonly kind: "suspend" | "delete"; readonly via: "relay" | "api" }
  | { readonly kind: "new-password" | "revoke-wall" | "wall-power" | "shut-out" }
  | { readonly kind: "log-out"; readonly person: "kim" | "lee" }
);

function drawEnd(random: Random): EndOfAccess {
  const ms = awayMs(random);
  const via = pick(random, ["relay", "api"] as const);
  const person = pick(random, ["kim", "lee"] as const);
  const kind = pick(random, [
    "suspend",
    "suspend",
    "new-password",
    "delete",
    "log-out",
    "revoke-wall",
    "wall-power",
    "shut-out",
  ] as const);
  if (kind === "suspend" || kind === "delete") return { kind, via, ms };
  return kind === "log-out" ? { kind, person, ms } : { kind, ms };
}

/** Lines of this file, and those on which ends of access depend. */
const FAULTY = [...FURTHER_LINES, "phone-relay", "relay-api", "relay-broker"] as const;

function drawFault(random: Random) {
  const line = pick(random, FAULTY);
  const ms = troubleMs(random);
  const direction = pick(random, ["there", "back", "both"] as const);
  const byMs = between(random, 200, 3_000);
  const machine = pick(random, ["api", "relay"] as const);
  const downMs = between(random, SECOND, 30 * SECOND);
  switch (pick(random, ["hold", "cut", "slow", "kill"] as const)) {
    case "hold":
      return { kind: "hold", line, direction, ms } as const;
    case "cut":
      return { kind: "cut", line, ms } as const;
    case "slow":
      return { kind: "slow", line, byMs, ms } as const;
    case "kill":
      return { kind: "kill", machine, ms: downMs } as const;
  }
}

/**
 * Draw the further screens of a world, and how access ends in it. Water often runs meanwhile, and something often fails.
 *
 * @param end after which nothing happens, ms since the start
 */
export function drawFurther(seed: number, end: number) {
  const random = seededRandom(seed + STREAM);
  const further = FURTHER.filter(() => random() < 0.5).map((name) => ({
    name,
    offsetMs: pick(random, OFFSETS_MS),
    drift: pick(random, DRIFTS),
  }));
  const happenings = [];
  const ends = pick(random, [0, 1, 2, 3, 6]);
  for (let one = 0; one < ends; one += 1) {
    const ending = drawEnd(random);
    const at = between(random, 30 * SECOND, Math.max(MINUTE, end - ending.ms - MINUTE));
    if (random() < 0.6) {
      const valve = between(random, 1, 2);
      const seconds = pick(random, [30, 60, 300]);
      const openedAt = at - between(random, 0, 25 * SECOND);
      happenings.push({ kind: "open", at: openedAt, who: "kim", valve, seconds } as const);
      const closedAt = at + between(random, -3 * SECOND, 3 * SECOND);
      if (random() < 0.5) happenings.push({ kind: "close", at: closedAt, who: "kim", valve } as const);
    }
    happenings.push({ at, ...ending });
    if (random() < 0.5)
      happenings.push({ at: at + between(random, -5 * SECOND, 5 * SECOND), ...drawFault(random) });
    if (random() < 0.3)
      happenings.push({
        at: at + ending.ms + between(random, -5 * SECOND, 5 * SECOND),
        ...drawFault(random),
      });
  }
  for (let one = between(random, 0, 3); one > 0; one -= 1)
    happenings.push({ at: between(random, 30 * SECOND, end - SECOND), ...drawFault(random) });
  // Water that runs past its end, because nothing turns its valve.
  if (random() < 0.4) {
    const valve = between(random, 1, 2);
    const at = between(random, MINUTE, Math.max(2 * MINUTE, end - 6 * MINUTE));
    happenings.push(
      { kind: "open", at, who: "kim", valve, seconds: 30 } as const,
      { kind: "stick", at: at + 15 * SECOND, valve, ms: between(random, 2 * MINUTE, 5 * MINUTE) } as const,
    );
    for (let one = between(random, 0, 2); one > 0; one -= 1)
      happenings.push({ at: at + between(random, 20 * SECOND, 2 * MINUTE), ...drawFault(random) });
  }
  return { further, happenings: happenings.filter(({ at }) => at < end) };
}
