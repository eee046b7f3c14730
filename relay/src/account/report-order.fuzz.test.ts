import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzzing } from "../../testing/fuzz.ts";
import { type ChannelReport, isNewer, passing, type Seen, seeing } from "./channel-report.ts";

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;
const START = Date.UTC(2026, 10, 21, 3);

const step = fc
  .tuple(fc.constantFrom(1_000, 20_000, MINUTE, 30 * MINUTE, 540 * MINUTE, YEAR, 10 * YEAR), fc.boolean())
  .map(([ms, isBack]) => (isBack ? -ms : ms));
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("turn"), open: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("poll") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("late-poll") }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("message-again"), ago: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("api-clock"), ms: step }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("relay-clock"), ms: step }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart") }) },
);
const history = fc.record({
  events: fc.array(event, { maxLength: 30 }),
  isNumbered: fc.boolean(),
  hasMessages: fc.boolean(),
});
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** A farm API with one valve, and a relay in front of it, each with its own clock. */
class History {
  readonly #isNumbered: boolean;
  readonly #hasMessages: boolean;
  #monotonic = 0;
  #apiAhead = 0;
  #relayAhead = 0;
  #row: Pick<ChannelReport, "onoff" | "at" | "arrival">;
  #waiting: ChannelReport | null = null;
  readonly #messages: ChannelReport[] = [];
  #seen: Seen | null = null;

  constructor({ isNumbered, hasMessages }: { isNumbered: boolean; hasMessages: boolean }) {
    this.#isNumbered = isNumbered;
    this.#hasMessages = isNumbered && hasMessages;
    this.#row = { onoff: 2, at: START, arrival: isNumbered ? 1 : null };
  }

  run(one: Event): void {
    this.#monotonic += 3_000;
    if ("open" in one) this.#turn(one.open);
    else if ("ms" in one && one.kind === "api-clock") this.#apiAhead += one.ms;
    else if ("ms" in one) this.#relayAhead += one.ms;
    else if ("ago" in one) {
      const again = this.#messages.at(-1 - one.ago);
      if (again) this.#arrive({ ...again, order: { begun: this.#monotonic, arrived: this.#monotonic } });
    } else if (one.kind === "poll") this.poll();
    else if (one.kind === "late-poll") {
      if (this.#waiting) this.#arrive(this.#waiting);
      this.#waiting = this.#reportOf("poll");
    } else this.#seen = null;
  }

  /** A read that begins now shows what the farm API knows. */
  poll(): void {
    this.#monotonic += 1;
    this.#arrive(this.#reportOf("poll"));
    expect(this.#seen?.report.onoff).toBe(this.#row.onoff);
  }

  #turn(open: boolean): void {
    const { arrival } = this.#row;
    this.#row = {
      onoff: open ? 1 : 2,
      at: START + this.#monotonic + this.#apiAhead,
      arrival: this.#isNumbered ? (arrival ?? 0) + 1 : null,
    };
    if (!this.#hasMessages) return;
    const message = this.#reportOf("mqtt");
    this.#messages.push(message);
    this.#arrive(message);
    expect(this.#seen?.report.onoff).toBe(this.#row.onoff);
  }

  #reportOf(via: "mqtt" | "poll"): ChannelReport {
    const { at } = this.#row;
    return {
      ...this.#row,
      heardAt: at,
      commandId: null,
      runUntil: null,
      activeMode: "none",
      isLost: false,
      via,
      isLive: via === "mqtt",
      askedAt: START + this.#monotonic + this.#relayAhead,
      order: { begun: this.#monotonic, arrived: this.#monotonic },
    };
  }

  #arrive(report: ChannelReport): void {
    const now = START + this.#monotonic + this.#relayAhead;
    const arrived = { ...report, order: { ...report.order, arrived: this.#monotonic } };
    const isPossible = (at: number): boolean => at <= now + MINUTE;
    this.#seen = isNewer(arrived, this.#seen, isPossible)
      ? seeing(arrived, now, this.#seen)
      : passing(arrived, this.#seen);
  }
}

test("[ORD-6] each read shows what the farm API knows, whatever the clocks of API and relay do", () => {
  fc.assert(
    fc.property(history, ({ events, ...kind }) => {
      const run = new History(kind);
      for (const one of events) run.run(one);
      run.poll();
    }),
    fuzzing(5_000),
  );
});
