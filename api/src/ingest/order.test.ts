import { topic } from "@mulkko/shared/mqtt/topics";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { nodeTimers } from "@mulkko/shared/server/node-timers";
import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SOIL, startTestFarm, type TestFarm, VALVES } from "../../testing/test-farm.ts";
import { Ingest } from "./ingest.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const YEAR = 365 * 24 * 60 * MINUTE;
/** Longest distance of a stepped clock from the right one, ms. */
const STEPPED_AT_MOST = 20 * YEAR;

/** Steps of a clock, ms: a second to ten years, both ways. */
const step = fc
  .tuple(
    fc.constantFrom(SECOND, 20 * SECOND, MINUTE, 30 * MINUTE, 540 * MINUTE, YEAR, 10 * YEAR),
    fc.boolean(),
  )
  .map(([ms, isBack]) => (isBack ? -ms : ms));
/** Ways in which a message states its time. */
const stated = fc.constantFrom("own", "own", "own", "none", "unset", "unreadable", "far ahead");

/** Planned length of an opening, minutes; null: it names no end. */
const runMinutes = fc.constantFrom(null, 1, 10, 120);

const event = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("turn"), open: fc.boolean(), stated, run: runMinutes }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("measure"), stated }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("device-clock"), ms: step }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("api-clock"), ms: step }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("retained") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("repeated"), ago: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("backlog"), readings: fc.integer({ min: 1, max: 6 }) }),
  },
);
const history = fc.record({ events: fc.array(event, { maxLength: 20 }), answers: fc.boolean() });

let farm: TestFarm;
const clock = createFakeClock();
const START = clock.now();
beforeAll(async () => {
  farm = await startTestFarm({}, { clock });
});
afterAll(() => farm.close());

interface Channel {
  onoff: number;
  at: number | null;
  heard_at: number | null;
  run_until: number | null;
}

/** Allowed difference of a run's end, ms: steps of the API's clock up to 15 s look like transit times. */
const END_WITHIN_MS = 16 * SECOND;

/** One controller and one sensor with one clock, in front of the real store. */
class History {
  #ingest: Ingest | undefined;
  #deviceAhead = 0;
  #apiAhead = 0;
  #isOpen = false;
  /** End of the run on the monotonic clock; null: none is planned. */
  #end: number | null = null;
  /** Time that was left of the run when its last report was sent; undefined where that is not known. */
  #left: { readonly how: string; readonly ms: number } | undefined;
  #moisture = 0;
  #asked = 0;
  readonly #answers: boolean;
  readonly #sent: string[] = [];
  /** The state in the last report that the device sent, and its arrival. */
  #last: { onoff: number; at: number } | null = null;

  constructor(answers: boolean) {
    this.#answers = answers;
  }

  async start(): Promise<void> {
    await this.#ingest?.stop();
    const { database, deviceIndex, profiles, log } = farm.app;
    const zone = createApiTimeZone("Asia/Seoul");
    const wrote = (): void => undefined;
    this.#ingest = new Ingest({
      database,
      deviceIndex,
      profiles,
      zone,
      clock,
      timers: nodeTimers,
      logger: log,
      wrote,
    });
    this.#ingest.whenContested(() => {
      this.#asked += 1;
    });
    await this.#ingest.load();
  }

  async run(one: typeof event extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
    clock.advance(7 * SECOND + 13);
    if ("open" in one) {
      this.#isOpen = one.open;
      const isPlanned = one.open && one.run !== null && one.stated !== "none" && one.stated !== "unreadable";
      this.#end = isPlanned ? clock.monotonic() + (one.run ?? 0) * MINUTE : null;
      await this.#report(this.#reportText(one.stated));
    } else if ("stated" in one) await this.measure(one.stated);
    else if ("ms" in one) this.#step(one.kind, one.ms);
    else if ("ago" in one) {
      const repeated = this.#sent.at(-1 - one.ago);
      this.#left = undefined;
      if (repeated !== undefined) await this.#report(repeated);
    } else if ("readings" in one) await this.#backlog(one.readings);
    else if (one.kind === "restart") await this.start();
    else if (one.kind === "retained") await this.#retained();
    await this.#check();
  }

  async measure(how: string): Promise<void> {
    this.#moisture += 0.01;
    const before = await this.#countRows();
    await this.#send(topic.up(SOIL.serial), { moisture: this.#moisture, ...this.#time(how) });
    // Nothing that arrives is lost.
    expect(await this.#countRows()).toBe(before + 1);
    if (how !== "own") await this.isLatest();
  }

  async isLatest(): Promise<void> {
    const [row] = await farm.app.database.query<{ moisture: number }>("select moisture from latest");
    expect(row?.moisture).toBeCloseTo(this.#moisture, 6);
  }

  /** Report what is true, as the device does from time to time. */
  async settle(): Promise<void> {
    await this.#report(this.#reportText("own"));
    await this.#check();
    const channel = await this.#channel();
    if (this.#answers) expect(channel?.onoff).toBe(this.#isOpen ? 1 : 2);
  }

  #step(kind: string, ms: number): void {
    if (kind === "device-clock") {
      if (Math.abs(this.#deviceAhead + ms) <= STEPPED_AT_MOST) this.#deviceAhead += ms;
    } else if (Math.abs(this.#apiAhead + ms) <= STEPPED_AT_MOST) {
      this.#apiAhead += ms;
      // The device's clock does not follow the API's.
      this.#deviceAhead -= ms;
      clock.jump(ms);
    }
  }

  async #backlog(readings: number): Promise<void> {
    const [before] = await this.#latest();
    for (let index = readings; index > 0; index -= 1) {
      const at = clock.now() - index * 20 * MINUTE;
      if (before && before.at <= at) continue;
      await this.#send(topic.up(SOIL.serial), { moisture: 90 + index, at: new Date(at).toISOString() });
    }
    const [after] = await this.#latest();
    if (before) expect(after?.moisture).toBe(before.moisture);
  }

  /** The broker sends its copy of the last report once more. */
  async #retained(): Promise<void> {
    const last = this.#sent.at(-1);
    if (last === undefined) return;
    await this.#handle(topic.channelState(VALVES.serial, 1), last, true);
  }

  #reportText(how: string): string {
    const { at } = this.#time(how);
    const left = this.#end === null ? undefined : this.#end - clock.monotonic();
    const stated = at === undefined || how === "unreadable" ? Number.NaN : Date.parse(at);
    const isEndStated = left !== undefined && Number.isFinite(stated);
    this.#left = isEndStated ? { how, ms: left } : undefined;
    const run = isEndStated ? { runUntil: new Date(stated + left).toISOString() } : {};
    return JSON.stringify({ onoff: this.#isOpen ? 1 : 2, at, ...run });
  }

  async #report(payload: string): Promise<void> {
    const { onoff } = JSON.parse(payload);
    this.#sent.push(payload);
    this.#last = { onoff, at: clock.now() };
    await this.#handle(topic.channelState(VALVES.serial, 1), payload, false);
  }

  async #check(): Promise<void> {
    if (this.#last === null) return;
    await this.#isNoContradiction();
    if (this.#asked === 0) return;
    this.#asked = 0;
    clock.advance(SECOND);
    if (this.#answers) await this.#report(this.#reportText("own"));
    else {
      clock.advance(11 * SECOND);
      await this.#ingest?.settle();
    }
    expect(this.#asked).toBe(0);
    await this.#isNoContradiction();
    if (this.#answers) expect((await this.#channel())?.onoff).toBe(this.#last.onoff);
  }

  async #isNoContradiction(): Promise<void> {
    const channel = await this.#channel();
    expect([0, this.#last?.onoff]).toContain(channel?.onoff);
    expect(channel?.heard_at).toBe(this.#last?.at);
    if (channel?.onoff === 1) this.#isEndOfItsReport(channel);
  }

  /** The end of a run is of the clock of its report's time (ORD-7): the device's where it is believed. */
  #isEndOfItsReport({ at, heard_at, run_until: end }: Channel): void {
    if (this.#left === undefined || at === null || heard_at === null) return;
    const { how, ms } = this.#left;
    const from = Math.min(at, heard_at);
    const late = (end ?? from) - from - ms;
    expect(late).toBeLessThanOrEqual(END_WITHIN_MS);
    if (how === "own") expect(end).not.toBeNull();
    if (how === "own") expect(late).toBeGreaterThanOrEqual(-END_WITHIN_MS);
  }

  async #send(name: string, body: object): Promise<void> {
    await this.#handle(name, JSON.stringify(body), false);
  }

  async #handle(name: string, payload: string, retained: boolean): Promise<void> {
    const message = {
      topic: name,
      payload: Buffer.from(payload),
      duplicate: false,
      retained,
      connection: "one",
    };
    await this.#ingest?.handle(message);
  }

  #time(how: string): { at?: string } {
    switch (how) {
      case "own":
        return { at: new Date(clock.now() + this.#deviceAhead).toISOString() };
      case "unset":
        return { at: "1970-01-01T00:00:14Z" };
      case "unreadable":
        return { at: "soon" };
      case "far ahead":
        return { at: "9999-12-30T00:00:00Z" };
      default:
        return {};
    }
  }

  async #channel(): Promise<Channel | undefined> {
    const rows = await farm.app.database.query<Channel>(
      "select onoff, at, heard_at, run_until from channel_state",
    );
    return rows[0];
  }

  #latest(): Promise<{ moisture: number; at: number }[]> {
    return farm.app.database.query("select moisture, at from latest");
  }

  async #countRows(): Promise<number> {
    const [row] = await farm.app.database.query<{ count: number }>("select count(*) as count from reading");
    return row?.count ?? 0;
  }
}

const fuzz = {
  seed: Number(process.env.FUZZ_SEED ?? 20_261_128),
  numRuns: Number(process.env.FUZZ_RUNS ?? 60),
};

test("[ORD-1] nothing drawn as live contradicts the last arrival, whatever clocks and messages do", async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ events, answers }) => {
      for (const table of ["channel_state", "device_link", "device_clock", "latest", "reading", "cot_log"])
        await farm.app.database.query(`delete from ${table}`);
      // Each history begins at the same time: another one may have moved the clock before 2000.
      clock.jump(START - clock.now());
      const run = new History(answers);
      await run.start();
      for (const one of events) await run.run(one);
      await run.settle();
      // A clock that stays as it is, however wrong, is followed after a few readings.
      for (let index = 0; index < 6; index += 1) {
        // No whole seconds: two readings of one millisecond are one row.
        clock.advance(30 * SECOND + 17);
        await run.measure("own");
      }
      await run.isLatest();
    }),
    fuzz,
  );
}, 300_000);

test("[ORD-2] a clock that is set back onto the time of another reading loses none", async () => {
  const { database, ingest } = farm.app;
  clock.jump(START + YEAR - clock.now());
  await database.query("delete from reading where sensor_id = $1", [SOIL.id]);
  const measure = (moisture: number): Promise<void> =>
    ingest.handle({
      topic: topic.up(SOIL.serial),
      payload: Buffer.from(JSON.stringify({ moisture })),
      ...{ duplicate: false, retained: false, connection: "soil" },
    });
  const first = clock.now();
  for (const moisture of [20, 21]) {
    await measure(moisture);
    clock.advance(30 * MINUTE);
  }
  clock.jump(first - clock.now());
  await measure(22);
  const rows = await database.query("select at, moisture from reading where sensor_id = $1 order by at", [
    SOIL.id,
  ]);
  expect(rows).toEqual([
    { at: first, moisture: 20 },
    { at: first + 1, moisture: 22 },
    { at: first + 30 * MINUTE, moisture: 21 },
  ]);
  expect(ingest.newest(SOIL.id)?.fields).toMatchObject({ moisture: 22 });
});

test("[ORD-2] a device whose clock is set back onto times of its own readings loses none, and repeats none", async () => {
  const { database, ingest } = farm.app;
  const PERIOD_S = 5;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: -12, max: 12 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      async (steps, repeats) => {
        for (const table of ["latest", "reading", "device_clock"])
          await database.query(`delete from ${table}`);
        clock.jump(START + 2 * YEAR - clock.now());
        let offset = 0;
        const sent: { readonly at: number; readonly moisture: number }[] = [];
        for (const [index, isRepeated] of repeats.entries()) {
          clock.advance(PERIOD_S * SECOND);
          // Each seventh reading comes after a step of the device's clock, by whole periods.
          if (index % 7 === 6) offset += (steps[(index - 6) / 7] ?? 0) * PERIOD_S * SECOND;
          const reading = { at: clock.now() + offset, moisture: 10 + index / 10 };
          const payload = Buffer.from(JSON.stringify({ ...reading, at: new Date(reading.at).toISOString() }));
          const message = { topic: topic.up(SOIL.serial), payload, retained: false, connection: "soil" };
          sent.push(reading);
          await ingest.handle({ ...message, duplicate: false });
          if (isRepeated) await ingest.handle({ ...message, duplicate: true });
        }
        const rows = await database.query<{ at: number; moisture: number }>(
          "select at, moisture from reading where sensor_id = $1 order by moisture",
          [SOIL.id],
        );
        expect(rows.map(({ moisture }) => moisture)).toEqual(sent.map(({ moisture }) => moisture));
        for (const [index, { at }] of rows.entries()) {
          const moved = at - (sent[index]?.at ?? 0);
          expect(moved).toBeGreaterThanOrEqual(0);
          expect(moved).toBeLessThan(10);
        }
      },
    ),
    fuzz,
  );
}, 120_000);
