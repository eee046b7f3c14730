import type { Random } from "@mulkko/shared/rules/clock";
import { seededRandom } from "@mulkko/shared/testing/random";
import { Type } from "typebox";
import { between, pick, troubleMs } from "./draw.ts";

const Ms = Type.Number({ minimum: 0 });

/** Deeds of the administrator with the valves of another account. */
export const ADMIN_HAPPENINGS = [
  /** She opens the page of a valve, and closes the valve `afterMs` later, or once the page offers it. */
  Type.Object({ kind: Type.Literal("admin-close"), valve: Type.Integer({ minimum: 1 }), afterMs: Ms }),
  /** She loads her page again. */
  Type.Object({ kind: Type.Literal("admin-reload") }),
] as const;

/** Own stream of random numbers, so that what other parts of a plan draw stays as it is; no seed that docs name has any. */
const STREAM = 55_664_044;
const SECOND = 1_000;
/** Share of the worlds with an administrator in which she closes valves. */
const SHARE = 0.5;

interface Other {
  readonly at: number;
  readonly kind: string;
  readonly ms?: number | undefined;
  readonly valve?: number | undefined;
}

const RUNS_S = [60, 300, 900] as const;

/** Draw a trouble that her line has at her press, during which she loads her page again. */
function drawLoneLine(random: Random, pressedAt: number) {
  const ms = between(random, 4 * SECOND, 60 * SECOND);
  const at = pressedAt - between(random, 0, 2 * SECOND);
  const direction = pick(random, ["there", "there", "both"] as const);
  const line = { at, line: "park-relay", ms } as const;
  const trouble =
    random() < 0.5 ? ({ kind: "hold", direction, ...line } as const) : ({ kind: "cut", ...line } as const);
  const reloadedAt = pressedAt + between(random, SECOND, Math.min(ms, 20 * SECOND));
  return [trouble, { at: reloadedAt, kind: "admin-reload" } as const];
}

/** Draw the end of a relay that has answered, before its order can have reached the valve. */
function drawEndOfRelay(random: Random, pressedAt: number) {
  const awayMs = between(random, 10 * SECOND, 60 * SECOND);
  const at = pressedAt - between(random, 0, 2 * SECOND);
  const killedAt = pressedAt + between(random, SECOND, 8 * SECOND);
  const ms = between(random, SECOND, 10 * SECOND);
  return [
    { at, kind: "cut", line: "controller-broker", ms: awayMs } as const,
    { at: killedAt, kind: "kill", machine: "relay", ms } as const,
  ];
}

/** Draw any trouble on the way of her close. */
function drawTrouble(random: Random, pressedAt: number) {
  const at = pressedAt + between(random, -2 * SECOND, 400);
  const line = pick(random, ["park-relay", "relay-api", "relay-broker", "controller-broker"] as const);
  const direction = pick(random, ["there", "back", "both"] as const);
  const ms = troubleMs(random);
  const reload = { at: pressedAt + between(random, SECOND, 20 * SECOND), kind: "admin-reload" } as const;
  const trouble = pick(random, [
    { at, kind: "hold", line, direction, ms } as const,
    { at, kind: "cut", line, ms } as const,
  ]);
  return random() < 0.5 ? [trouble, reload] : [trouble];
}

/**
 * Draw what the administrator closes: mostly what was opened before, with a trouble within seconds of her press.
 *
 * @param end after which nothing happens, ms since the start
 */
export function drawAdminCloses(seed: number, others: readonly Other[], end: number) {
  const random = seededRandom(seed + STREAM);
  const presses = random() < SHARE && others.length > 0 ? pick(random, [2, 4, 8]) : 0;
  const openings = others.filter(({ kind }) => kind === "open" || kind === "hand");
  const happenings = [];
  for (let one = 0; one < presses; one += 1) {
    const isAfterOpening = random() < 0.6 && openings.length > 0;
    const { at, ms = 0, valve = between(random, 1, 2) } = pick(random, isAfterOpening ? openings : others);
    const near = at + (!isAfterOpening && random() < 0.5 ? ms : 0);
    const afterMs = pick(random, [0, 2 * SECOND, 10 * SECOND]);
    const delay = pick(random, [between(random, -12 * SECOND, 5 * SECOND), between(random, 0, 40 * SECOND)]);
    const from = Math.max(SECOND, near + delay);
    const pressedAt = from + afterMs;
    happenings.push({ at: from, kind: "admin-close", valve, afterMs } as const);
    if (random() < 0.5) {
      const opened = { kind: "open", who: "kim", valve, seconds: pick(random, RUNS_S) } as const;
      happenings.push({ at: pressedAt - between(random, 2 * SECOND, 40 * SECOND), ...opened });
    }
    const draw = pick(random, [drawLoneLine, drawLoneLine, drawEndOfRelay, drawTrouble, null]);
    if (draw) happenings.push(...draw(random, pressedAt));
  }
  return happenings.filter(({ at }) => at > 0 && at < end);
}
