import { Modes } from "@mulkko/shared/entities/modes";
import type { Alarm, AlarmPriority, AlarmType } from "@mulkko/shared/live/alarm";
import { Actor, RELAY_ACTOR } from "@mulkko/shared/live/devices";
import type { LiveEvent } from "@mulkko/shared/live/events";
import { Watering, type WateringCause } from "@mulkko/shared/live/watering";
import { parse } from "@mulkko/shared/schema/parse";
import type { StateValue } from "../store/streams.ts";
import type { AlarmSettings, AlarmSource, SourceDeps } from "./alarm-source.ts";

/**
 * Grace in ms after the end of a run before an open valve raises an alarm: the transit of the close and of
 * its report.
 */
const OVERDUE_MS = 60_000;
/** RUN-3: grace in ms after a mode's watering time. */
const MODE_OVERDUE_MS = 5 * 60_000;

/** An open valve. All times are ms on the same clock. */
interface Opening {
  readonly cause: WateringCause;
  readonly start: number;
  /** End of a run that a user started; null: unknown. */
  readonly end: number | null;
  /** The valve closes by itself at the end, and no report from after the end shows it open. */
  readonly unproven: boolean;
  /** Watering time of the mode that opened it; null: unknown. */
  readonly modeMs: number | null;
  /** Hard cap of its controller. */
  readonly capMs: number;
}

/** Alarm priority of an opening now, and when to judge again. */
interface OpeningVerdict {
  readonly type: AlarmType;
  /** null: no alarm. */
  readonly priority: AlarmPriority | null;
  readonly looksAgainAt: number | null;
}

type Threshold = readonly [at: number, priority: AlarmPriority];

/**
 * Judge an opening (RUN-3):
 *
 * - A user's run is P1 after its end.
 * - A mode's run is P2 after its watering time + 5 min, and P1 from the hard cap on, but never before the P2 time.
 * - An opening of unknown origin is P2 at once and P1 at the cap.
 *
 * A valve that closes by itself is not overdue because of a report from before its end.
 */
function judgeOpening(opening: Opening, now: number): OpeningVerdict {
  const thresholds = thresholdsOf(opening);
  const reached = thresholds.filter(([at]) => at <= now).map(([, priority]) => priority);
  const coming = thresholds.filter(([at]) => at > now).map(([at]) => at);
  return {
    type: opening.cause === "external" ? "external-open" : "open-too-long",
    priority: reached.sort((a, b) => a - b)[0] ?? null,
    looksAgainAt: coming.length === 0 ? null : Math.min(...coming),
  };
}

function thresholdsOf({ cause, start, end, unproven, modeMs, capMs }: Opening): Threshold[] {
  const cap = start + capMs;
  if (unproven && cause !== "external") return [];
  switch (cause) {
    case "external":
      return [
        [start, 2],
        [cap, 1],
      ];
    case "person":
      return [[(end ?? cap) + OVERDUE_MS, 1]];
    case "automatic":
    case "period":
    case "reservation": {
      if (modeMs === null) return [[cap, 1]];
      const late = start + modeMs + MODE_OVERDUE_MS;
      return [
        [late, 2],
        [Math.max(cap, late), 1],
      ];
    }
  }
}

interface OpeningAlarmsDeps extends SourceDeps {
  readonly settings: AlarmSettings;
}

/** A reported time, and the same moment on the monotonic clock (RUN-4). */
interface Moment {
  readonly said: string;
  readonly at: number;
}

/** An alarm from before a restart: it was raised from facts that this owner may not have read yet (ALM-8). */
interface Held {
  readonly priority: AlarmPriority;
  /** Start of its opening, and the end of its run, as the alarm names them. */
  readonly start: unknown;
  readonly end: string | null;
}

/** An end that a person gave to an external opening. */
interface Ordered extends Moment {
  readonly by: Actor;
}

interface Opened {
  readonly watering: Watering;
  readonly start: number;
  /** The cause of the opening. A person who opens an open valve makes the run theirs. */
  cause: WateringCause;
  /** The last reported end of the run, and what ends it; it stays while a close is pending. */
  end: (Moment & { readonly byDevice: boolean }) | null;
  ordered: Ordered | null;
  /** The last close commanded to the account's valves. */
  asked: string | null;
  timer: { cancel(): void } | undefined;
}

/** ms until the next check: a timer of Node holds 24 days at most. */
const LOOK_AGAIN_MS = 24 * 3_600_000;
const TYPES = ["open-too-long", "external-open"] as const;

/** Fields of a channel that decide about its opening. */
const DECIDING_FIELDS = ["onoff", "modes", "runUntil", "heardAt", "at"] as const;

/**
 * Return true if the channel's last report is of a time after the instant (ISO UTC): by the older of contact and
 * the report's own time, which is of the same clock as the end that it names (ORD-7).
 */
function isReportedAfter({ heardAt, at }: StateValue, instant: string): boolean {
  const times = [heardAt, at].filter((time) => typeof time === "string").map((time) => Date.parse(time));
  return times.length > 0 && Math.min(...times) > Date.parse(instant);
}

const strongest = (a: AlarmPriority | null, b: AlarmPriority): AlarmPriority => (a !== null && a < b ? a : b);

function modeMs(cause: WateringCause, raw: unknown): number | null {
  const modes = parse(Modes, raw);
  if (!modes.ok || cause === "person" || cause === "external") return null;
  const minutes = modes.value[cause]?.wateringDuration;
  return minutes === undefined ? null : minutes * 60_000;
}

const detailOf = ({ watering, cause, end, ordered }: Opened) => ({
  cause,
  start: watering.start,
  ...(end && { end: end.said }),
  ...(ordered && { closesAt: ordered.said, closesFor: ordered.by.nickname, closesForId: ordered.by.id }),
});

/**
 * Alarms for valves that stay open too long, each with its own timer (RUN-3).
 *
 * | an open valve | becomes | by |
 * | --- | --- | --- |
 * | closed | watched | a watering of it has begun; its cause decides about its alarms |
 * | watched | too long | its end, its mode's time or the hard cap has passed |
 * | external | ordered | a person gives it an end, kept over a restart; the relay closes it then |
 * | external, a mode's | a person's | their command for it is confirmed: their end counts |
 * | any | closed | its watering ends, it is reported closed, or it is gone: its alarms end |
 */
export class OpeningAlarms implements AlarmSource {
  readonly #deps: OpeningAlarmsDeps;
  readonly #opened = new Map<string, Opened>();
  /** Ends given before a restart, until their openings are reported again. */
  readonly #kept = new Map<string, Ordered>();
  /** Alarms from before a restart, until a report shows the valve closed. */
  readonly #held = new Map<string, Held>();

  constructor(deps: OpeningAlarmsDeps) {
    this.#deps = deps;
    const { state } = this.#deps;
    state.on("settingsChanged", () => {
      for (const channelKey of [...this.#opened.keys()]) this.#look(channelKey);
    });
  }

  /**
   * Give an external opening an end, at which the relay closes it.
   * @param until ms UTC
   * @returns false if the channel has no external opening
   */
  closeAt(channelKey: string, until: number, by: Actor): boolean {
    const one = this.#opened.get(channelKey);
    if (one?.cause !== "external") return false;
    const said = new Date(until).toISOString();
    one.ordered = { said, at: this.#moment(said), by };
    this.#look(channelKey);
    return true;
  }

  changed(key: string, fields: StateValue | undefined): void {
    const { state } = this.#deps;
    if (key.startsWith("watering:")) {
      this.#handleWatering(state.get(key));
    } else if (key.startsWith("channel:")) {
      const channel = state.get(key);
      if (channel === undefined || channel.onoff === 2) this.#over(key);
      else if (!fields || DECIDING_FIELDS.some((field) => field in fields)) this.#look(key);
    }
  }

  event(event: LiveEvent): void {
    if (event.kind !== "command" || event.target !== 1 || event.state !== "confirmed") return;
    const key = `channel:${event.channelId}`;
    const one = this.#opened.get(key);
    // Also of a mode: the end is the one that the person gave.
    if (one === undefined || one.cause === "person") return;
    one.cause = "person";
    one.ordered = null;
    this.#look(key);
  }

  restored(alarms: readonly Alarm[]): void {
    for (const { key, type, active, priority, detail } of alarms) {
      if (active && type === "open-too-long") {
        const end = typeof detail?.end === "string" ? detail.end : null;
        this.#held.set(key, { priority, start: detail?.start, end });
      }
      if (!active || type !== "external-open" || typeof detail?.closesAt !== "string") continue;
      const by = parse(Actor, { id: detail.closesForId, nickname: detail.closesFor });
      const said = detail.closesAt;
      this.#kept.set(key, { said, at: this.#moment(said), by: by.ok ? by.value : RELAY_ACTOR });
    }
  }

  close(): void {
    for (const { timer } of this.#opened.values()) timer?.cancel();
  }

  #moment(instant: string): number {
    const { clock } = this.#deps;
    return clock.monotonic() + Date.parse(instant) - clock.now();
  }

  #over(channelKey: string): void {
    this.#opened.get(channelKey)?.timer?.cancel();
    this.#opened.delete(channelKey);
    this.#kept.delete(channelKey);
    this.#held.delete(channelKey);
    for (const type of TYPES) this.#deps.sink.clear(channelKey, type);
  }

  /** Close an opening that has reached its given end, or the hard cap if the account wants that. */
  #closeAtEnd(channelKey: string, one: Opened, opening: Opening, now: number): number | null {
    if (one.cause !== "external") return null;
    const cap = this.#deps.settings.adoptExternal
      ? { at: opening.start + opening.capMs, by: RELAY_ACTOR }
      : null;
    const ends = [one.ordered, cap].filter((end) => end !== null).sort((a, b) => a.at - b.at);
    const next = ends[0];
    if (next === undefined) return null;
    if (next.at > now) return next.at;
    const commandId = `end-${one.watering.id}-${Math.round(next.at - one.start)}`.slice(0, 64);
    if (one.asked === commandId) return null;
    one.asked = commandId;
    const isWanted = () => this.#opened.get(channelKey) === one && one.cause === "external";
    this.#deps.state.emit("closeWanted", { channelKey, commandId, by: next.by, isWanted });
    return null;
  }

  #look(channelKey: string): void {
    const { sink } = this.#deps;
    const one = this.#opened.get(channelKey);
    const channel = this.#deps.state.get(channelKey);
    if (!one || !channel) return;
    one.timer?.cancel();
    one.timer = undefined;
    const said = channel.runUntil;
    if (typeof said === "string" && said !== one.end?.said) {
      one.end = { said, at: this.#moment(said), byDevice: channel.endsBy === "device" };
    }
    const now = this.#deps.clock.monotonic();
    const before = this.#heldOf(channelKey, one);
    const opening: Opening = {
      cause: one.cause,
      start: one.start,
      end: one.end?.at ?? null,
      // An alarm of this end has proven it before.
      unproven:
        one.end?.byDevice === true && one.end.said !== before?.end && !isReportedAfter(channel, one.end.said),
      modeMs: modeMs(one.cause, channel.modes),
      capMs: this.#deps.settings.runs.capSeconds(String(channel.controllerId)) * 1_000,
    };
    const closes = this.#closeAtEnd(channelKey, one, opening, now);
    const verdict = judgeOpening(opening, now);
    const { type, looksAgainAt } = verdict;
    // A mode or an end that is not read yet is no sign that the valve may be open.
    const isJudged = !before || (one.cause === "person" ? opening.end : opening.modeMs) !== null;
    const priority = isJudged ? verdict.priority : strongest(verdict.priority, before.priority);
    for (const other of TYPES) if (other !== type || priority === null) sink.clear(channelKey, other);
    if (priority !== null) sink.hold(channelKey, type, { priority, detail: detailOf(one) });
    const next = [closes, looksAgainAt].filter((at) => at !== null);
    if (next.length === 0) return;
    const inMs = Math.min(LOOK_AGAIN_MS, Math.max(1, Math.ceil(Math.min(...next) - now)));
    one.timer = this.#deps.timers.after(inMs, () => this.#look(channelKey));
  }

  /** Return the alarm from before a restart about the same opening. */
  #heldOf(channelKey: string, { watering, cause }: Opened): Held | undefined {
    const before = this.#held.get(channelKey);
    return before && cause !== "external" && before.start === watering.start ? before : undefined;
  }

  #handleWatering(value: StateValue | undefined): void {
    const parsed = parse(Watering, value);
    if (!parsed.ok) return;
    const watering = parsed.value;
    const channelKey = `channel:${watering.channelId}`;
    const known = this.#opened.get(channelKey);
    if (watering.end !== null) {
      if (known?.watering.id === watering.id) this.#over(channelKey);
      return;
    }
    if (known?.watering.id === watering.id) return;
    known?.timer?.cancel();
    // The first report of a run may be the only one that names its end.
    const before = this.#held.get(channelKey);
    const heldEnd = before?.start === watering.start ? (before?.end ?? null) : null;
    const { runEnd } = watering;
    const said = heldEnd ?? runEnd?.at ?? watering.plannedEnd ?? null;
    this.#opened.set(channelKey, {
      watering,
      start: this.#moment(watering.start),
      // A person who opened an open valve made the run theirs.
      cause: runEnd?.commanded ? "person" : watering.cause,
      // The alarm of an end has proven it. A record from before `runEnd` has the device's end alone.
      end:
        said === null
          ? null
          : { said, at: this.#moment(said), byDevice: heldEnd === null && runEnd?.by !== "relay" },
      ordered: this.#kept.get(channelKey) ?? null,
      asked: null,
      timer: undefined,
    });
    this.#kept.delete(channelKey);
    this.#look(channelKey);
  }
}
