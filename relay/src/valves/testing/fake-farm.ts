import type { FakeClock } from "@mulkko/shared/testing/fake-clock";
import type { ChannelReport } from "../../ports/channel-report.ts";
import type { OutgoingCommand, SendResult, ValveUpstream } from "../../ports/valves.ts";
import type { FakeTimers } from "./fake-timers.ts";

/** What kind of farm API and valve stands there. */
export interface FarmKind {
  /** Reports carry time, command id and end of run, and come over MQTT; else they are polled and bare. */
  readonly tells: boolean;
  /** The valve closes by itself. */
  readonly timesRuns: boolean;
}

/**
 * How the farm API answers: as it should; not at all, with the command carried out or not; slowly; with an error; as
 * one that does not have the valve any more.
 */
export type Mood = "ok" | "slow" | "lost-done" | "lost-undone" | "refuse" | "down" | "gone";

/** Who opened the valve last. */
export type Opener = { kind: "command"; commandId: string } | { kind: "hand" } | { kind: "mode" };

interface Snapshot {
  readonly at: number;
  readonly onoff: 1 | 2;
  readonly runUntil: number | null;
  readonly commandId: string | null;
  readonly mode: "none" | "automatic";
}

/**
 * A farm API with one valve of one channel. The valve obeys after a while, drops what it is told to drop, times
 * itself or not. Its own clock runs true, whatever is done to the relay's.
 */
export interface FakeFarm extends ValveUpstream {
  mood: Mood;
  /** Commands on their way to the valve are lost. */
  dropping: boolean;
  /** The valve can hear and be heard. */
  linked: boolean;
  /** Reports come twice, and once more later, when they are old. */
  repeating: boolean;
  /** ms that the valve takes to obey. */
  obeyMs: number;
  readonly open: boolean;
  readonly opener: Opener | null;
  /** The valve cannot be told apart from one that its mode has opened (RUN-3: it then belongs to the mode). */
  readonly looksLikeMode: boolean;
  readonly sent: OutgoingCommand[];
  /** The farm's clock: ms UTC on a clock that nobody sets. */
  now(): number;
  /** A hand at the valve, or its mode. */
  turn(open: boolean, by: "hand" | "mode"): void;
  /** The relay reads the channel. */
  read(): void;
  /** Where reports go; null while no relay listens. */
  listener: ((report: ChannelReport) => void) | null;
  onSend: (command: OutgoingCommand) => void;
}

const HEARTBEAT_MS = 10_000;
const POLL_MS = 15_000;
/** The relay's call gives up after this. */
const CALL_MS = 4_000;
const SLOW_MS = 3_000;

export function createFakeFarm(clock: FakeClock, timers: FakeTimers, kind: FarmKind): FakeFarm {
  const start = clock.now() - clock.monotonic();
  let open = false;
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

  const reportOf = (snapshot: Snapshot, via: "mqtt" | "poll", askedAt: number): ChannelReport => ({
    onoff: snapshot.onoff,
    at: kind.tells ? snapshot.at : null,
    heardAt: kind.tells ? snapshot.at : null,
    commandId: kind.tells ? snapshot.commandId : null,
    runUntil: kind.tells && snapshot.onoff === 1 ? snapshot.runUntil : null,
    via,
    askedAt,
    activeMode: snapshot.mode,
  });
  const tell = (snapshot: Snapshot): void => {
    if (known === null || snapshot.at >= known.at) known = snapshot;
    if (kind.tells) farm.listener?.(reportOf(snapshot, "mqtt", clock.now()));
  };
  /** The valve says how it stands; what it says may come twice, and late. */
  const say = (): void => {
    if (!farm.linked) return;
    const snapshot: Snapshot = { at: now(), onoff: open ? 1 : 2, runUntil, commandId: obeyed, mode };
    timers.after(20, () => tell(snapshot));
    if (!farm.repeating) return;
    timers.after(30, () => tell(snapshot));
    timers.after(7_000, () => tell(snapshot));
  };
  const set = (next: boolean, by: Opener | null, runMs: number | null): void => {
    closesBy?.cancel();
    closesBy = null;
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
  /** A command reaches the valve, if it does. `lifeMs` is what remains until an opening expires. */
  const deliver = (command: OutgoingCommand, lifeMs: number, mayDrop = true): void => {
    const dies = clock.monotonic() + lifeMs;
    if (mayDrop && (farm.dropping || !farm.linked)) return;
    timers.after(farm.obeyMs, () => {
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
    if (kind.tells && keys.has(command.commandId)) return;
    keys.add(command.commandId);
    deliver(command, lifeMs);
  };

  const farm: FakeFarm = {
    mood: "ok",
    dropping: false,
    linked: true,
    repeating: false,
    obeyMs: 200,
    sent: [],
    listener: null,
    onSend: () => undefined,
    get open() {
      return open;
    },
    get opener() {
      return opener;
    },
    get looksLikeMode() {
      return !kind.tells && mode !== "none";
    },
    now,
    has: (extension) => extension === "timed-run" && kind.timesRuns,
    ownSession: kind.tells,
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
        case "gone":
          return after(10, () => ({ kind: "refused", status: 404, code: "not-found", message: "no" }));
        case "down":
          return after(5, () => ({ kind: "not-sent", message: "no connection" }));
      }
    },
    turn(next, by) {
      mode = by === "mode" && next ? "automatic" : "none";
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
      const askedAt = clock.now();
      timers.after(50, () => {
        if (known) farm.listener?.(reportOf(known, "poll", askedAt));
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
