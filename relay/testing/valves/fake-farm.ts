import type { FakeClock } from "@mulkko/shared/testing/fake-clock";
import type { FakeTimers } from "@mulkko/shared/testing/fake-timers";
import type { ChannelReport } from "../../src/account/channel-report.ts";
import type { OutgoingCommand, SendResult, ValveUpstream } from "../../src/upstream/outgoing-command.ts";

/** The kind of farm API and valve under test. */
export interface FarmKind {
  /**
   * True if reports carry time, command id and end of run and come over MQTT. Otherwise they are polled and
   * bare.
   */
  readonly reportsDetails: boolean;
  /**
   * True if the valve closes by itself and ignores an opening after its `expiresAt`. Otherwise it obeys at
   * any time.
   */
  readonly timesRuns: boolean;
}

/**
 * How the farm API answers:
 *
 * - as expected, or slowly
 * - not at all, with the command carried out or not
 * - with an error, or with 401 to every token
 * - as an API that no longer has the valve
 */
export type Mood = "ok" | "slow" | "lost-done" | "lost-undone" | "refuse" | "signed-out" | "down" | "gone";

/** Cause of the last opening of the valve. */
export type Opener = { kind: "command"; commandId: string } | { kind: "hand" } | { kind: "mode" };

interface Snapshot {
  readonly at: number;
  readonly onoff: 1 | 2;
  readonly runUntil: number | null;
  readonly commandId: string | null;
  readonly mode: "none" | "automatic";
}

/**
 * A farm API with one valve of one channel. The valve obeys with a delay, loses commands on request, and may
 * time itself. Its clock is correct, also when the relay's clock is set.
 */
export interface FakeFarm extends ValveUpstream {
  mood: Mood;
  /** True while commands to the valve are lost. */
  dropping: boolean;
  /** True while the valve can receive and report. */
  linked: boolean;
  /** True while reports arrive twice, and once more when they are old. */
  repeating: boolean;
  /** ms that the valve takes to obey. */
  obeyMs: number;
  /**
   * ms for which a command sent now is delayed: a sleeping radio node, or a queue behind the farm API. A
   * later command with a shorter delay overtakes it.
   */
  queueMs: number;
  /** Number of commands that have not reached the valve yet. */
  readonly underWay: number;
  /** Time of the valve's last opening on the monotonic clock. */
  readonly openedAt: number;
  readonly open: boolean;
  readonly opener: Opener | null;
  /**
   * True if the valve cannot be distinguished from one that its mode opened. RUN-3: it then belongs to the
   * mode.
   */
  readonly looksLikeMode: boolean;
  /**
   * True if the valve was opened by hand or by a mode during an opening of ours, or just before it and not
   * reported yet. The relay cannot know then that its own opening is still to come.
   */
  readonly looksLikeOurs: boolean;
  readonly sent: OutgoingCommand[];
  /** The farm's clock, ms UTC, which is never set. */
  now(): number;
  /** Turn the valve by hand, or by its mode. */
  turn(open: boolean, by: "hand" | "mode"): void;
  /** Read the channel as the relay does. */
  read(): void;
  /** Receiver of reports; null while no relay subscribes. */
  listener: ((report: ChannelReport) => void) | null;
  onSend: (command: OutgoingCommand) => void;
}

const HEARTBEAT_MS = 10_000;
const POLL_MS = 15_000;
/** ms after which the relay's call times out. */
const CALL_MS = 4_000;
const SLOW_MS = 3_000;
/** ms for which an opening may not have been reported to the relay yet. */
const UNSEEN_MS = POLL_MS + CALL_MS;

export function createFakeFarm(clock: FakeClock, timers: FakeTimers, kind: FarmKind): FakeFarm {
  const start = clock.now() - clock.monotonic();
  let open = false;
  let openedAt = Number.NEGATIVE_INFINITY;
  let underWay = 0;
  let openingsUnderWay = 0;
  let looksLikeOurs = false;
  let opener: Opener | null = null;
  let closesBy: { cancel(): void } | null = null;
  let runUntil: number | null = null;
  let obeyed: string | null = null;
  let mode: "none" | "automatic" = "none";
  const executed = new Set<string>();
  const keys = new Set<string>();
  let known: Snapshot | null = null;

  const now = (): number => clock.monotonic() + start;
  const offsetMs = (): number => (Math.abs(now() - clock.now()) < 2_000 ? 0 : now() - clock.now());

  const moment = () => ({ at: clock.now(), monotonic: clock.monotonic() });
  const reportOf = (snapshot: Snapshot, via: "mqtt" | "poll", asked = moment()): ChannelReport => ({
    onoff: snapshot.onoff,
    at: kind.reportsDetails ? snapshot.at : null,
    heardAt: kind.reportsDetails ? snapshot.at : null,
    commandId: kind.reportsDetails ? snapshot.commandId : null,
    runUntil: kind.reportsDetails && snapshot.onoff === 1 ? snapshot.runUntil : null,
    via,
    isLive: via === "mqtt",
    askedAt: asked.at,
    arrival: null,
    order: { begun: asked.monotonic, arrived: clock.monotonic() },
    activeMode: snapshot.mode,
    isLost: false,
  });
  const report = (snapshot: Snapshot): void => {
    if (known === null || snapshot.at >= known.at) known = snapshot;
    if (kind.reportsDetails) farm.listener?.(reportOf(snapshot, "mqtt"));
  };
  /** Report the valve's state, possibly twice and late. */
  const say = (): void => {
    if (!farm.linked) return;
    const snapshot: Snapshot = { at: now(), onoff: open ? 1 : 2, runUntil, commandId: obeyed, mode };
    timers.after(20, () => report(snapshot));
    if (!farm.repeating) return;
    timers.after(30, () => report(snapshot));
    timers.after(7_000, () => report(snapshot));
  };
  const set = (next: boolean, by: Opener | null, runMs: number | null): void => {
    closesBy?.cancel();
    closesBy = null;
    if (next && !open) openedAt = clock.monotonic();
    open = next;
    runUntil = null;
    if (next) opener = by;
    if (next && runMs !== null) {
      runUntil = now() + runMs;
      closesBy = timers.after(runMs, () => {
        closesBy = null;
        set(false, null, null);
      });
    }
    say();
  };
  /** Deliver a command to the valve unless it is lost. `lifeMs` is the time left until an opening expires. */
  const deliver = (command: OutgoingCommand, lifeMs: number, mayDrop = true): void => {
    const dies = clock.monotonic() + (kind.timesRuns ? lifeMs : Number.POSITIVE_INFINITY);
    if (mayDrop && (farm.dropping || !farm.linked)) return;
    underWay += 1;
    if (command.payload === 1) {
      openingsUnderWay += 1;
      const unseen = openedAt > clock.monotonic() - UNSEEN_MS;
      if (open && unseen && opener?.kind !== "command") looksLikeOurs = true;
    }
    timers.after(farm.queueMs + farm.obeyMs, () => {
      underWay -= 1;
      if (command.payload === 1) openingsUnderWay -= 1;
      if (!farm.linked) return;
      if (command.payload === 1 && (executed.has(command.commandId) || clock.monotonic() > dies)) return;
      executed.add(command.commandId);
      obeyed = command.commandId;
      const runMs = kind.timesRuns ? (command.maxRunSeconds ?? 600) * 1_000 : null;
      if (command.payload === 1) set(true, { kind: "command", commandId: command.commandId }, runMs);
      else set(false, null, null);
    });
  };
  const execute = (command: OutgoingCommand, lifeMs: number): void => {
    if (kind.reportsDetails && keys.has(command.commandId)) return;
    keys.add(command.commandId);
    deliver(command, lifeMs);
  };

  const farm: FakeFarm = {
    mood: "ok",
    dropping: false,
    linked: true,
    repeating: false,
    obeyMs: 200,
    queueMs: 0,
    sent: [],
    listener: null,
    onSend: () => undefined,
    get open() {
      return open;
    },
    get underWay() {
      return underWay;
    },
    get openedAt() {
      return openedAt;
    },
    get opener() {
      return opener;
    },
    get looksLikeMode() {
      return !kind.reportsDetails && mode !== "none";
    },
    get looksLikeOurs() {
      return looksLikeOurs;
    },
    now,
    has: (extension) => extension === "timed-run" && kind.timesRuns,
    ownSession: kind.reportsDetails,
    get offsetMs() {
      return offsetMs();
    },
    send(command) {
      farm.onSend(command);
      farm.sent.push(command);
      const lifeMs = command.expiresAt === undefined ? 0 : command.expiresAt - clock.now();
      const after = (ms: number, result: () => SendResult) =>
        new Promise<SendResult>((resolve) => timers.after(ms, () => resolve(result())));
      const accepted = (): SendResult => ({
        kind: "accepted",
        commandId: command.commandId,
        offsetMs: offsetMs(),
      });
      switch (farm.mood) {
        case "ok":
          return after(10, () => {
            execute(command, lifeMs);
            return accepted();
          });
        case "slow":
          return after(SLOW_MS, () => {
            execute(command, lifeMs - SLOW_MS);
            return accepted();
          });
        case "lost-done":
          timers.after(SLOW_MS * 2, () => execute(command, lifeMs - SLOW_MS * 2));
          return after(CALL_MS, () => ({ kind: "unknown", message: "timeout" }));
        case "lost-undone":
          return after(CALL_MS, () => ({ kind: "unknown", message: "timeout" }));
        case "refuse":
          return after(10, () => ({ kind: "refused", status: 403, code: "forbidden", message: "no" }));
        case "signed-out":
          return after(10, () => ({ kind: "refused", status: 401, code: "unauthorized", message: "no" }));
        case "gone":
          return after(10, () => ({ kind: "refused", status: 404, code: "not-found", message: "no" }));
        case "down":
          return after(5, () => ({ kind: "not-sent", message: "no connection" }));
      }
    },
    turn(next, by) {
      mode = by === "mode" && next ? "automatic" : "none";
      if (next && !open && openingsUnderWay > 0) looksLikeOurs = true;
      set(next, next ? { kind: by } : null, null);
    },
    read() {
      if (
        farm.mood === "gone" ||
        farm.mood === "down" ||
        farm.mood === "lost-undone" ||
        farm.mood === "lost-done"
      )
        return;
      const asked = moment();
      timers.after(50, () => {
        if (known) farm.listener?.(reportOf(known, "poll", asked));
      });
    },
  };
  const beat = (): void => {
    say();
    timers.after(HEARTBEAT_MS, beat);
  };
  const poll = (): void => {
    farm.read();
    timers.after(POLL_MS, poll);
  };
  beat();
  poll();
  return farm;
}
