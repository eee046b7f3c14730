import type { Alarm, AlarmType } from "@mulkko/shared/live/alarm";
import type { ShownValve } from "./phone.ts";
import type { PersonName } from "./plan.ts";
import type { Measured, StoredReading } from "./sensor.ts";
import type { Valve } from "./truth.ts";

/** Numbers of the rules in docs/dev/valve-rules.md. */
export type Invariant =
  | "W-1"
  | "W-2"
  | "W-3"
  | "W-4"
  | "W-5"
  | "W-6"
  | "W-7"
  | "W-8"
  | "W-9"
  | "W-10"
  | "W-12"
  | "W-13"
  | "W-14"
  | "W-15";

/** A rule that a world broke, and how. */
export interface Violation {
  readonly invariant: Invariant;
  /** Time since the first event could happen, ms. */
  readonly afterMs: number;
  readonly text: string;
}

/** A command that a person gave. */
export interface Press {
  readonly by: PersonName;
  readonly at: number;
  /** The earliest moment of the press by what the page sends with it (CMD-10), true time, ms UTC. */
  readonly countsFrom: number;
  readonly target: 1 | 2;
  readonly valve: Valve;
  readonly commandId: string;
  /** Length of the run that was wanted; 0 for a close. */
  readonly runMs: number;
}

/** Names of errors that only a mistake in the code itself makes. */
const MISTAKES = /"type":"(TypeError|ReferenceError|RangeError)","message":"((?:[^"\\]|\\.)*)"/;
/** Message of the TypeError by which Node names a broken line. */
const BROKEN_LINE = "fetch failed";

/** W-15: return the mistake that a line of a log names; null for any other line. */
export function mistakeIn(line: string): string | null {
  const [, type, message] = MISTAKES.exec(line) ?? [];
  if (type === undefined || message === undefined || message.startsWith(BROKEN_LINE)) return null;
  return `${type}: ${message}`;
}

/** Bounds, ms. */
export const BOUNDS = {
  /** W-1: from a report's arrival at the API to the screens. */
  shownMs: 3_000,
  /** W-1: how long a screen stays live after the way to it broke. */
  liveMs: 25_000,
  /** W-1: from the moment in which the whole way is well again. */
  againMs: 8_000,
  /** W-1: from the moment in which a page wakes: it draws nothing as live before it has asked (LIVE-1). */
  wakeMs: 1_000,
  /** W-2: from the press to the valve: the 15 s in which it may be sent, and the 10 s of CMD-4 for its device's clock. */
  openMs: 25_000,
  /** W-2: from the press to the last moment in which the relay sends it to the farm API (CMD-4). */
  sentMs: 15_000,
  /** W-3: from the moment in which every line on the way to the valve is well. */
  closeMs: 45_000,
  /** W-4: from the end of the run to the alarm, with the way to the screen. */
  alarmMs: 65_000,
  /** W-8: for which the way from the farm API to the valve was well before a planned start. */
  startMs: 20_000,
  /** W-10: from the end of a person's sessions, and from the moment in which the way is well. */
  outMs: 12_000,
  /** W-12: from the last fault and the last deed of a person to a screen on which everything is live, true and quiet. */
  quietMs: 120_000,
  /** W-12: what a suspended wall may take to continue: the relay looks each minute, and the wall, too. */
  wallMs: 65_000,
  /** W-12: time that the end of a run may take, with the report of it. */
  turnMs: 20_000,
} as const;

/** Bounds where the farm API's clock is or was wrong, ms: the relay knows it to 3 s. */
export const CLOCK_BOUNDS: Bounds = { ...BOUNDS, alarmMs: BOUNDS.alarmMs + 3_000 };

/** Bounds of a world, ms. */
export type Bounds = Readonly<Record<keyof typeof BOUNDS, number>>;

/** Trouble on a way, as it is observed: since when it lasts, and when it last ended. */
export class Trouble {
  #since: number | null = null;
  #endedAt = Number.NEGATIVE_INFINITY;

  note(isWell: boolean, now: number): void {
    if (!isWell) this.#since ??= now;
    else if (this.#since !== null) {
      this.#since = null;
      this.#endedAt = now;
    }
  }

  /** Since when the way has been well without a break; null while it is not. */
  get wellSince(): number | null {
    return this.#since === null ? this.#endedAt : null;
  }

  /** Since when there is trouble; null while there is none. */
  get since(): number | null {
    return this.#since;
  }

  /** When the last trouble ended. */
  get endedAt(): number {
    return this.#endedAt;
  }
}

const claimOf = ({ view }: ShownValve): "open" | "closed" | null => {
  if (!view.live) return null;
  if (view.kind === "open" || view.kind === "closed") return view.kind;
  return view.kind === "mismatch" ? view.actual : null;
};

/** Return what a screen says of a valve, in words. */
export function wordsOf({ view }: ShownValve): string {
  switch (view.kind) {
    case "open":
    case "closed":
      return `${view.kind}, live`;
    case "last":
      return `${view.actual} by the last report (${view.why})`;
    case "opening":
    case "closing":
      return `${view.kind}${view.unanswered ? ", no answer" : ""}`;
    case "mismatch":
      return `not ${view.commanded}: ${view.actual ?? "unknown"}${view.live ? ", live" : ""}`;
    case "unknown":
      return "unknown";
  }
}

/** Difference of a stated time and the true one that is none, ms: of a clock that drifts by 100 ppm in an hour. */
const SAME_MS = 400;

/** Difference of the clocks of API and device from which the device's may count as wrong, ms (ORD-2: 5 min). */
const DOUBTED_MS = 4 * 60_000;

const isApiFarOff = (offsets: readonly number[] | null): boolean =>
  offsets?.some((offset) => Math.abs(offset) > DOUBTED_MS) ?? false;

const isRight = ({ at, statedAt }: Measured): boolean =>
  statedAt !== null && Math.abs(statedAt - at) <= SAME_MS;

/**
 * W-5: return what is wrong with the history of a sensor; null if nothing is.
 *
 * @param apiOffsets differences of a wrong API's clock to true time, ms: where one is large, a right time may count as
 *   wrong, and its reading has the time of its arrival, marked; null: the clock is right
 */
export function unkeptOf(
  measured: readonly Measured[],
  stored: readonly StoredReading[],
  apiOffsets: readonly number[] | null = null,
): string | null {
  const isFarOff = isApiFarOff(apiOffsets);
  const earliest = (at: number): number =>
    apiOffsets === null ? at - 1 : at - SAME_MS + Math.min(...apiOffsets);
  for (const one of measured) {
    const { value, at, statedAt, isAcknowledged } = one;
    const rows = stored.filter((row) => row.value === value);
    if (rows.length > 1) return `the reading ${value} is in the history ${rows.length} times`;
    const [row] = rows;
    if (!row) {
      if (isAcknowledged) return `the reading ${value} was acknowledged, and is not in the history`;
      continue;
    }
    const isAsStated = statedAt !== null && Math.abs(row.at - statedAt) <= 1;
    // Without a time, or with one that is not believed, it has the time of its arrival.
    const mayArrive = !isRight(one) || (row.isMarked && isFarOff);
    const isArrival = mayArrive && row.at >= earliest(at);
    if (!isAsStated && !isArrival)
      return `the reading ${value} is in the history ${row.at - at} ms off its time`;
  }
  return null;
}

/** W-5: return how a screen makes a reading younger than it is; null if it does not. */
export function rejuvenated(
  measured: readonly Measured[],
  shown: StoredReading,
  apiOffsets: readonly number[] | null = null,
): string | null {
  const own = measured.find(({ value }) => value === shown.value);
  if (!own) return `shows the reading ${shown.value}, which was never measured`;
  // By how much is not known of a time that is marked.
  if (shown.isMarked && isApiFarOff(apiOffsets)) return null;
  const off = shown.at - own.at;
  return isRight(own) && off > SAME_MS
    ? `shows the reading ${shown.value} as ${off} ms younger than it is`
    : null;
}

/** Alarms that say that something is away. */
const AWAY: ReadonlySet<AlarmType> = new Set([
  "offline",
  "controller-offline",
  "controller-offline-watering",
  "no-access",
  "not-storing",
  "upstream-down",
  "broker-down",
  "farm-link",
]);

/** Alarms that end with the water of their valve. */
const WATER: ReadonlySet<AlarmType> = new Set(["open-too-long", "external-open", "late-opening"]);

/**
 * W-12: return what is not well on a screen although nothing has been wrong for a while; null if all is well.
 *
 * @param valves with what the screen says of each; null for one that it does not list
 * @param mayBeUnknown what it says of them need not be of now
 */
export function unrestOf(
  valves: readonly { readonly valve: Valve; readonly shown: ShownValve | null }[],
  alarms: readonly Alarm[],
  unanswered: number,
  mayBeUnknown = false,
): string | null {
  if (unanswered > 0) return `${unanswered} commands have no answer`;
  for (const { valve, shown } of valves) {
    const actual = valve.isOpen ? "open" : "closed";
    if (!shown) return `${valve.name} is not listed`;
    if (mayBeUnknown && claimOf(shown) === null) continue;
    if (claimOf(shown) !== actual) return `${valve.name} is ${actual}, and reads "${wordsOf(shown)}"`;
  }
  return leftAlarmOf(
    alarms,
    valves.some(({ valve }) => valve.isOpen),
  );
}

/** W-12: return which alarm is left that nothing explains; null for none. */
export function leftAlarmOf(
  alarms: readonly Pick<Alarm, "active" | "type">[],
  isWatering: boolean,
): string | null {
  const left = alarms.find(
    ({ active, type }) => active && (AWAY.has(type) || (WATER.has(type) && !isWatering)),
  );
  return left ? `the alarm ${left.type} is left` : null;
}

/** W-1: return how a screen lies about a valve; null where it does not, or is still allowed to. */
export function lieOf(
  shown: ShownValve,
  valve: Valve,
  facts: {
    readonly now: number;
    /** Arrival of the first report of the valve's state at the API; null: none has arrived. */
    readonly reportedAt: number | null;
    /** The way from the API to the screen. */
    readonly way: Trouble;
    /** When the page last woke. */
    readonly wokeAt: number;
    /** Last instant at which the controller could have been believed without a report. */
    readonly believedUntil: number;
  },
  bounds: Bounds = BOUNDS,
): string | null {
  const claim = claimOf(shown);
  const actual = valve.isOpen ? "open" : "closed";
  if (claim === null || claim === actual) return null;
  const { now, reportedAt, way, wokeAt, believedUntil } = facts;
  const since = valve.last?.at ?? 0;
  const knownAt = reportedAt === null ? Math.max(believedUntil, since) : reportedAt;
  const allowedUntil = Math.max(
    knownAt + bounds.shownMs,
    way.since === null ? way.endedAt + bounds.againMs : Math.max(knownAt, way.since) + bounds.liveMs,
    wokeAt + bounds.wakeMs,
  );
  if (now <= allowedUntil) return null;
  const seconds = Math.round((now - since) / 1_000);
  const known =
    reportedAt === null
      ? "no report has arrived"
      : `reported ${Math.round((now - reportedAt) / 1_000)} s ago`;
  return `said "${claim}, live" while ${valve.name} had been ${actual} for ${seconds} s (${known})`;
}
