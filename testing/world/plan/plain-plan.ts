import { seededRandom } from "@mulkko/shared/testing/random";
import { type Static, Type } from "typebox";

const Ms = Type.Number({ minimum: 0 });

/** How a farm API that knows only the calls of the specification is made, with the controller behind it. */
export const PlainKind = Type.Object({
  /** Interval of the controller's reports, ms. */
  reportMs: Ms,
  /** Time until a command that has reached the controller has turned the valve, ms. */
  turnMs: Ms,
  /** False: a movement is reported with the next regular report. */
  reportsMoves: Type.Boolean(),
  /** A radio node that sleeps: commands wait at the API for its next report. */
  isAsleep: Type.Boolean(),
  /** The API answers what it was commanded until the controller reports. */
  isHasty: Type.Boolean(),
  /** The API states the time of the report. */
  hasTime: Type.Boolean(),
  /** The log has a row for each report; else for movements only. */
  logsReports: Type.Boolean(),
  writesBy: Type.Union([Type.Literal("POST"), Type.Literal("PUT"), Type.Null()]),
  bodies: Type.Union([Type.Literal("form"), Type.Literal("json"), Type.Null()]),
  /** Numbers as text, an object for a text. */
  hasOddFields: Type.Optional(Type.Boolean()),
  /** How far the API's clock is ahead, ms. Absent: it is right. */
  clockMs: Type.Optional(Type.Number()),
  /** Lifetime of an access token, ms. Absent: without an end. */
  tokenMs: Type.Optional(Ms),
});
export type PlainKind = Static<typeof PlainKind>;

/**
 * Bad answers of a plain farm API: `500` and `503` to all calls, `html` with status 200, `refresh-500` to reads of a
 * valve only, `after-500` and `after-cut` in place of the answer to a command that is carried out, `empty` lists, and
 * `slow` ones.
 */
const BAD_ANSWERS = ["500", "503", "html", "refresh-500", "after-500", "after-cut", "empty", "slow"] as const;
export type BadAnswers = (typeof BAD_ANSWERS)[number];

/** A time of bad answers; `at` and `ms` as of every happening. */
export const BadAnswersHappening = Type.Object({
  kind: Type.Literal("bad-answers"),
  how: Type.Enum(BAD_ANSWERS),
  ms: Ms,
});
type Drawn = { readonly at: number } & (
  | Static<typeof BadAnswersHappening>
  | { readonly kind: "hand"; readonly valve: number; readonly open: boolean }
);

/** Share of the worlds whose farm API is a plain one. */
const SHARE = 0.25;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Empty lists are believed after 75 s (POLL-9), and end the commands of the valves that are gone (CMD-13). */
const EMPTY_AT_MOST_MS = 50 * SECOND;
/** A number of its own, so that other draws of a world do not move. */
const STREAM = 4_001;

/** A further stream, for clocks that are behind, and the share of these. */
const CLOCK_STREAM = 4_002;
const BEHIND = 0.25;

/** A plain farm API of a world, and when it answers badly. */
interface DrawnPlainApi {
  readonly plain: PlainKind;
  readonly happenings: readonly Drawn[];
}

/**
 * Draw the plain farm API of a world; null for one with the bundled API.
 *
 * @param end of the last happening, ms since the start
 */
export function drawPlainApi(seed: number, end: number): DrawnPlainApi | null {
  const random = seededRandom(seed + STREAM);
  if (random() >= SHARE) return null;
  const pick = <T>(first: T, ...others: T[]): T => {
    const all = [first, ...others];
    return all[Math.floor(random() * all.length)] ?? first;
  };
  // Half of them have no habits: those of the others would hide what breaks without any.
  const hasHabits = random() < 0.6;
  const habit = (share: number): boolean => hasHabits && random() < share;
  const plain: PlainKind = {
    reportMs: pick(10 * SECOND, 30 * SECOND, 60 * SECOND),
    turnMs: pick(200, 1_400, 8_000),
    reportsMoves: !habit(0.3),
    isAsleep: habit(0.3),
    isHasty: habit(0.3),
    hasTime: habit(0.4),
    logsReports: !habit(0.3),
    writesBy: habit(0.4) ? pick("POST", "PUT") : null,
    bodies: habit(0.4) ? pick("form", "json") : null,
    ...(habit(0.3) && { tokenMs: 8 * MINUTE }),
  };
  const happenings: Drawn[] = [];
  const kinds = BAD_ANSWERS.filter(() => random() < 0.5);
  const [first, ...others] = kinds;
  const everyMs = pick(2 * MINUTE, 4 * MINUTE, 8 * MINUTE);
  let emptyUntil = 0;
  for (
    let at = random() * everyMs;
    first !== undefined && habit(1) && at < end;
    at += 2 * random() * everyMs
  ) {
    const ms = Math.round(pick(5 * SECOND, 20 * SECOND, 45 * SECOND, 120 * SECOND) * (0.5 + random()));
    const how = pick(first, ...others);
    if (how === "empty" && at < emptyUntil) continue;
    if (how === "empty") emptyUntil = at + 2 * EMPTY_AT_MOST_MS;
    happenings.push({
      ...{ at: Math.round(at), kind: "bad-answers", how },
      ms: how === "empty" ? Math.min(ms, EMPTY_AT_MOST_MS) : ms,
    });
    // What moves while reads fail hurts most.
    if (random() < 0.5) {
      const turnedAt = Math.round(at + (random() * ms) / 3);
      happenings.push({ at: turnedAt, kind: "hand", valve: pick(1, 2), open: random() < 0.5 });
    }
  }
  if (habit(0.2)) plain.hasOddFields = true;
  if (habit(0.3)) plain.clockMs = pick(-4 * SECOND, 2_500, 40 * SECOND, 20 * MINUTE);
  const ofClock = seededRandom(seed + CLOCK_STREAM);
  if (ofClock() < BEHIND) plain.clockMs = ofClock() < 0.6 ? -90 * SECOND : -20 * MINUTE;
  return { plain, happenings };
}
