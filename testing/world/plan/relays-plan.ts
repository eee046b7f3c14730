import type { Random } from "@mulkko/shared/rules/clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import { type Static, Type } from "typebox";
import { around, between, pick, troubleMs } from "./draw.ts";

/** Relays beside the first one. */
export const FURTHER_RELAYS = ["relay-2", "relay-3"] as const;
export type FurtherRelay = (typeof FURTHER_RELAYS)[number];

/** Lines of a world with several relays. */
export const RELAY_LINES = [
  "relay-redis",
  "relay-2-api",
  "relay-2-broker",
  "relay-2-redis",
  "relay-3-api",
  "relay-3-broker",
  "relay-3-redis",
] as const;

const Ms = Type.Number({ minimum: 0 });

/** Happenings that only several relays have. */
export const RELAY_HAPPENINGS = [
  /** A relay ends in order, as for another version, and starts again. */
  Type.Object({
    kind: Type.Literal("restart"),
    machine: Type.Enum(["relay", ...FURTHER_RELAYS]),
    ms: Ms,
  }),
  /** The replica of Redis takes over; the newest writes are lost. */
  Type.Object({ kind: Type.Literal("fail-over") }),
] as const;

/** How many relays a world has. */
export const RelayCount = Type.Integer({ minimum: 2, maximum: 3 });

/** The share of worlds with several relays, and the random stream of what happens to them. */
const SEVERAL = 0.2;
const RELAY_STREAM = 34_000_101;
const BUILD_STREAM = 34_000_102;
/** Share of the worlds whose relays are upgraded and rolled back at each of their starts. */
const CHANGES_BUILDS = 0.25;

type Trouble =
  | {
      readonly kind: "kill" | "freeze";
      readonly machine: "relay" | FurtherRelay | "redis";
      readonly ms: number;
    }
  | {
      readonly kind: "hold";
      readonly line: (typeof RELAY_LINES)[number];
      readonly direction: "there" | "back" | "both";
      readonly ms: number;
    }
  | { readonly kind: "cut"; readonly line: (typeof RELAY_LINES)[number]; readonly ms: number }
  | {
      readonly kind: "slow";
      readonly line: (typeof RELAY_LINES)[number];
      readonly byMs: number;
      readonly ms: number;
    }
  | Static<(typeof RELAY_HAPPENINGS)[number]>;

export interface DrawnRelays {
  readonly relays: number;
  readonly happenings: readonly ({ readonly at: number } & Trouble)[];
}

function drawTrouble(random: Random, relays: number): Trouble {
  const names = (["relay", ...FURTHER_RELAYS] as const).slice(0, relays);
  const lines = RELAY_LINES.filter((line) =>
    names.some((name) => line.replace(/-(api|broker|redis)$/, "") === name),
  );
  const ms = troubleMs(random);
  const kind = pick(random, [
    "kill",
    "kill",
    "freeze",
    "freeze",
    "hold",
    "cut",
    "slow",
    "restart",
    "fail-over",
  ] as const);
  switch (kind) {
    case "kill":
      return { kind, machine: pick(random, [...names, "redis"]), ms };
    case "freeze":
      return { kind, machine: pick(random, [...names, "redis"]), ms };
    case "hold":
      return { kind, line: pick(random, lines), direction: pick(random, ["there", "back", "both"]), ms };
    case "cut":
      return { kind, line: pick(random, lines), ms };
    case "slow":
      return { kind, line: pick(random, lines), byMs: between(random, 200, 3_000), ms };
    case "restart":
      return { kind, machine: pick(random, names), ms: between(random, 1_000, 30_000) };
    case "fail-over":
      return { kind };
  }
}

/**
 * Draw several relays and their troubles, near to what happens already; null: this world has one relay.
 *
 * @param end last instant for troubles, ms since the start
 */
export function drawRelays(
  seed: number,
  others: readonly { readonly at: number }[],
  end: number,
): DrawnRelays | null {
  const random = seededRandom(seed + RELAY_STREAM);
  if (random() >= SEVERAL) return null;
  const relays = random() < 0.7 ? 2 : 3;
  const troubles = between(random, 2, 12);
  const happenings: ({ readonly at: number } & Trouble)[] = [];
  for (let one = 0; one < troubles; one += 1) {
    const other = others.length > 0 ? pick(random, others).at : between(random, 0, end);
    const at = around(random, other, end);
    happenings.push({ at, ...drawTrouble(random, relays) });
  }
  return { relays, happenings };
}

/** Draw whether each start of a relay is of another build. */
export const drawBuilds = (seed: number): { changesBuilds?: true } =>
  seededRandom(seed + BUILD_STREAM)() < CHANGES_BUILDS ? { changesBuilds: true } : {};
