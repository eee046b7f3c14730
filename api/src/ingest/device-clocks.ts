import type { Database } from "../database/database.ts";
import type { StatedTime } from "../decode/message-time.ts";
import type { LatestStored, Said } from "./latest-stored.ts";

/** Difference between arrival and stated time, ms, up to which a clock counts as right. */
export const RIGHT_WITHIN_MS = 5 * 60_000;

/** A clock is learned from this many live messages or more, in at least this span, ms. */
const SAMPLES = 3;
const MAX_SAMPLES = 8;
const SPAN_MS = 20_000;
/** Minimum gap between two samples, ms: what comes in one burst is no rhythm. */
const APART_MS = 5_000;
/** Differences within this many ms are equal: transit times vary, and many clocks have whole seconds. */
const ALIKE_MS = 15_000;
/** Messages whose times show what a device's clock says now: the one that was on its way for the shortest time counts. */
const LEADS = 3;
/** Messages of one stated time with different content that differ by a millisecond each. */
const MAX_SAME_TIME = 999;

/** One unexpected message: its arrival on the monotonic clock, and the arrival minus its stated time, ms. */
interface Sample {
  readonly monotonic: number;
  readonly lag: number;
}

/** `wrong`: `offset` is the constant arrival minus stated time, ms; null while only unbelievable times came. */
type ClockState =
  | { readonly kind: "right" }
  | { readonly kind: "wrong"; readonly since: number; readonly offset: number | null };

/** The time of a message and its meaning. Times are ms since 1970 UTC. */
export interface JudgedTime {
  /** Time at which the content counts: the stated one, or the arrival. */
  readonly at: number;
  /** False: the message looks older than what its device sent before; it may be a stored one. */
  readonly isLive: boolean;
  /** The stated time, where it is believed; null where the arrival counts. */
  readonly ownAt: number | null;
  /** Since when the device's clock has been wrong; null: it is right, or states no time. */
  readonly wrongSince: number | null;
}

interface Known {
  state: ClockState;
  /** Times of its last messages by its clock minus their arrival on the monotonic clock, ms; empty: they stated none. */
  leads: readonly number[];
  samples: readonly Sample[];
  /** Newest stated time that was believed. */
  ownAt: number | null;
  /** Contents of the messages of that time, in order. */
  said: readonly Said[];
}

const RIGHT: ClockState = { kind: "right" };

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Judge the clock of each device by its own messages (ORD-2, ORD-3).
 *
 * ```
 *            unbelievable time, or constant difference of more than 5 min
 *   right ───────────────────────────────────────────────▶ wrong {since, offset}
 *     ▲   a time within 5 min of its arrival, or none          │  ▲ │ a new constant difference:
 *     └────────────────────────────────────────────────────────┘  └─┘ another offset
 * ```
 *
 * A stored message that is forwarded later differs from its arrival by less and less; a wrong clock differs by a
 * constant.
 */
export class DeviceClocks {
  readonly #database: Database;
  // Bounded by the registered devices.
  readonly #known = new Map<string, Known>();
  readonly #unsaved = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** @param latest the newest stored reading of each sensor */
  async load(latest: readonly LatestStored[]): Promise<void> {
    const rows = await this.#database.query<{
      device_id: string;
      wrong_since: number;
      offset_ms: number | null;
    }>("select device_id, wrong_since, offset_ms from device_clock");
    for (const { device_id, wrong_since: since, offset_ms: offset } of rows)
      this.#of(device_id).state = { kind: "wrong", since, offset };
    for (const { sensorId, at, isClockRight, said } of latest) {
      if (!isClockRight) continue;
      const known = this.#of(sensorId);
      known.ownAt = at;
      known.said = said === null ? [] : [said];
    }
  }

  /** Return since when the device's clock has been wrong, ms since 1970 UTC; null: it is not known to be. */
  wrongSince(deviceId: string): number | null {
    const state = this.#known.get(deviceId)?.state;
    return state?.kind === "wrong" ? state.since : null;
  }

  /** Return the constant arrival minus stated time of a device's wrong clock, ms; null: none is learned. */
  offset(deviceId: string): number | null {
    const state = this.#known.get(deviceId)?.state;
    return state?.kind === "wrong" ? state.offset : null;
  }

  /**
   * Return what a device's own clock says now by its last messages, ms since 1970 UTC; null where they state no time.
   * Whatever this machine's clock is set to does not move it.
   *
   * @param monotonic now, on this process's monotonic clock, ms
   */
  now(deviceId: string, monotonic: number): number | null {
    const leads = this.#known.get(deviceId)?.leads ?? [];
    return leads.length === 0 ? null : Math.max(...leads) + monotonic;
  }

  /**
   * Judge the time of a live message, in order of arrival.
   *
   * @param said null if it is not compared: the message's time is its network's
   */
  judge(
    deviceId: string,
    time: StatedTime,
    arrival: { readonly receivedAt: number; readonly monotonic: number },
    said: Said | null,
  ): JudgedTime {
    const known = this.#of(deviceId);
    const { receivedAt, monotonic } = arrival;
    if (time.kind === "stated" || (time.kind === "unbelievable" && time.at !== undefined))
      known.leads = [...known.leads, (time.at ?? 0) - monotonic].slice(-LEADS);
    else if (time.kind !== "ambiguous") known.leads = [];
    switch (time.kind) {
      case "absent":
        this.#become(deviceId, known, RIGHT);
        return { at: receivedAt, isLive: true, ownAt: null, wrongSince: null };
      case "ambiguous":
        return { at: receivedAt, isLive: true, ownAt: null, wrongSince: this.wrongSince(deviceId) };
      case "unbelievable":
        known.samples = [];
        return this.#asOfArrival(deviceId, known, receivedAt, null);
      case "stated":
        return this.#judgeStated(deviceId, known, time.at, arrival, said);
    }
  }

  /** Store what has changed. Call it before the message is acknowledged. @throws DatabaseError */
  async save(deviceId: string): Promise<void> {
    if (!this.#unsaved.has(deviceId)) return;
    const { state } = this.#of(deviceId);
    if (state.kind === "right") {
      await this.#database.query("delete from device_clock where device_id = $1", [deviceId], "urgent");
    } else {
      await this.#database.query(
        `insert into device_clock (device_id, wrong_since, offset_ms) select id, $2, $3 from device where id = $1
         on conflict (device_id) do update set wrong_since = excluded.wrong_since, offset_ms = excluded.offset_ms`,
        [deviceId, new Date(state.since), state.offset],
        "urgent",
      );
    }
    if (this.#of(deviceId).state === state) this.#unsaved.delete(deviceId);
  }

  #judgeStated(
    deviceId: string,
    known: Known,
    stated: number,
    { receivedAt, monotonic }: { readonly receivedAt: number; readonly monotonic: number },
    said: Said | null,
  ): JudgedTime {
    const lag = receivedAt - stated;
    const isRight = Math.abs(lag) <= RIGHT_WITHIN_MS;
    const saidThen = known.ownAt === stated ? known.said.filter(({ source }) => source === said?.source) : [];
    const before = saidThen.findIndex(({ content }) => content === said?.content);
    const isNew = said !== null && before < 0;
    // A clock that stands still: new content, always of one time.
    if (isNew && saidThen.length > 0 && !isRight) return this.#asOfArrival(deviceId, known, receivedAt, null);
    const { state } = known;
    const offset = state.kind === "wrong" ? state.offset : null;
    if (offset !== null && !isRight && Math.abs(lag - offset) <= ALIKE_MS)
      return this.#asOfArrival(deviceId, known, receivedAt, offset);
    const isNewest =
      known.ownAt === null || known.ownAt > receivedAt + RIGHT_WITHIN_MS || stated >= known.ownAt;
    const isExpected = isRight && isNewest;
    const constant = isExpected ? null : this.#learn(known, { monotonic, lag });
    if (constant !== null && !isRight) return this.#asOfArrival(deviceId, known, receivedAt, constant);
    if (isExpected || constant !== null) {
      known.samples = [];
      this.#said(known, stated, isNew ? said : null);
      this.#become(deviceId, known, RIGHT);
      const place = Math.min(isNew ? saidThen.length : Math.max(0, before), MAX_SAME_TIME);
      return { at: stated + place, isLive: true, ownAt: stated, wrongSince: null };
    }
    if (isNewest) this.#said(known, stated, isNew ? said : null);
    return { at: stated, isLive: false, ownAt: stated, wrongSince: this.wrongSince(deviceId) };
  }

  #said(known: Known, stated: number, said: Said | null): void {
    const before = known.ownAt === stated ? known.said : [];
    known.ownAt = stated;
    known.said = said === null || before.length > MAX_SAME_TIME ? before : [...before, said];
  }

  #asOfArrival(deviceId: string, known: Known, receivedAt: number, offset: number | null): JudgedTime {
    const { state } = known;
    const since = state.kind === "wrong" ? state.since : receivedAt;
    if (state.kind === "right" || state.offset !== offset)
      this.#become(deviceId, known, { kind: "wrong", since, offset });
    return { at: receivedAt, isLive: true, ownAt: null, wrongSince: since };
  }

  /**
   * Return the constant difference that the last messages show, ms; null where they show none. All of them look
   * older than the message before, or have a time that is far from their arrival.
   */
  #learn(known: Known, sample: Sample): number | null {
    const before = known.samples;
    const isAlike = before.every(({ lag }) => Math.abs(lag - sample.lag) <= ALIKE_MS);
    const last = before.at(-1);
    if (!isAlike) known.samples = [sample];
    else if (!last || sample.monotonic - last.monotonic >= APART_MS)
      known.samples = [...before.slice(1 - MAX_SAMPLES), sample];
    const first = known.samples[0];
    const isConstant =
      first !== undefined && known.samples.length >= SAMPLES && sample.monotonic - first.monotonic >= SPAN_MS;
    return isConstant ? median(known.samples.map(({ lag }) => lag)) : null;
  }

  #become(deviceId: string, known: Known, state: ClockState): void {
    if (known.state.kind === "right" && state.kind === "right") return;
    known.state = state;
    this.#unsaved.add(deviceId);
  }

  #of(deviceId: string): Known {
    const known = this.#known.get(deviceId) ?? {
      state: RIGHT,
      leads: [],
      samples: [],
      ownAt: null,
      said: [],
    };
    this.#known.set(deviceId, known);
    return known;
  }
}
