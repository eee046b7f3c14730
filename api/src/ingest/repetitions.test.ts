import { seededRandom } from "@mulkko/shared/testing/random";
import { describe, expect, it } from "vitest";
import { Repetitions } from "./repetitions.ts";

/** Seed of the generated devices and their number; a failure names the seed of its device. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_129);
const RUNS = Number(process.env.FUZZ_RUNS ?? 300);
const bytes = (text: string) => new TextEncoder().encode(text);
const said = (payload: Uint8Array) => ({ source: "up", content: new TextDecoder().decode(payload) });

describe("a message without a time of its own", () => {
  it.each([
    ["marked, on the next connection, a minute later", true, "two", 60_000, true],
    ["marked, after longer than a device needs to connect again", true, "two", 200_000, false],
    ["not marked, on the next connection, at once", false, "two", 5_000, true],
    ["not marked, on the next connection, later", false, "two", 60_000, false],
    ["not marked, on the same connection", false, "one", 1_000, false],
  ])("[ingest] %s: a repetition: %4$s", (_what, duplicate, connection, afterMs, expected) => {
    const repetitions = new Repetitions();
    const payload = bytes('{"moisture":20}');
    expect(
      repetitions.isRepetition("a", payload, { duplicate: false, connection: "one" }, said(payload), true, 0),
    ).toBe(false);
    expect(
      repetitions.isRepetition("b", payload, { duplicate: true, connection: "one" }, said(payload), true, 1),
    ).toBe(false);
    expect(
      repetitions.isRepetition("a", payload, { duplicate, connection }, said(payload), true, afterMs),
    ).toBe(expected);
  });

  it.each([
    ["believed only the second time", true, false, true],
    ["believed only the first time", false, true, true],
    ["believed both times, by which the history knows it", false, false, false],
    ["of a clock that stands still, which is never believed", true, true, false],
  ])(
    "[W-5] the same message with a time that was %s: a repetition: %4$s",
    (_what, first, second, expected) => {
      const repetitions = new Repetitions();
      const payload = bytes('{"at":"2026-05-01T00:00:00Z","moisture":20}');
      const delivery = (connection: string) => ({ duplicate: false, connection });
      expect(repetitions.isRepetition("a", payload, delivery("one"), said(payload), first, 0)).toBe(false);
      expect(repetitions.isRepetition("a", payload, delivery("two"), said(payload), second, 60_000)).toBe(
        expected,
      );
    },
  );

  it("[ingest] of a device that connects for each message is no repetition after another one", () => {
    const repetitions = new Repetitions();
    ["20", "30", "20"].forEach((payload, index) => {
      const delivery = { duplicate: false, connection: `${index}` };
      expect(
        repetitions.isRepetition("a", bytes(payload), delivery, said(bytes(payload)), true, index * 1_000),
      ).toBe(false);
    });
  });

  it.each([
    ["the last one again, marked", true, "20", 60_000, true],
    ["the last one again, not marked", false, "20", 60_000, false],
    ["another one, marked", true, "30", 60_000, false],
    ["an equal one an hour later, marked", true, "20", 3_600_000, false],
  ])("[ingest] after a restart, %s: a repetition: %5$s", (_what, duplicate, content, agoMs, expected) => {
    const repetitions = new Repetitions();
    const latest = { sensorId: "a", at: 0, isClockRight: true };
    const stored = [
      { ...latest, said: said(bytes("20")) },
      { ...latest, sensorId: "b", said: null },
    ];
    repetitions.load(stored, { now: agoMs, monotonic: 0 });
    const delivery = { duplicate, connection: "one" };
    const payload = bytes(content);
    expect(repetitions.isRepetition("b", payload, delivery, said(payload), true, 0)).toBe(false);
    expect(repetitions.isRepetition("a", payload, delivery, said(payload), true, 0)).toBe(expected);
  });

  it("[ingest] after a restart is none any more once its device has sent something else", () => {
    const repetitions = new Repetitions();
    const content = { source: "up", content: "20" };
    repetitions.load([{ sensorId: "a", at: 0, isClockRight: true, said: content }], { now: 0, monotonic: 0 });
    for (const [text, duplicate] of [
      ["30", false],
      ["20", true],
    ] as const) {
      const delivery = { duplicate, connection: "one" };
      expect(repetitions.isRepetition("a", bytes(text), delivery, said(bytes(text)), true, 0)).toBe(false);
    }
  });

  it("[ingest] is no repetition after it was not stored", () => {
    const repetitions = new Repetitions();
    const payload = bytes('{"moisture":20}');
    repetitions.isRepetition("a", payload, { duplicate: false, connection: "one" }, said(payload), true, 0);
    repetitions.forget("a", payload);
    expect(
      repetitions.isRepetition(
        "a",
        payload,
        { duplicate: true, connection: "two" },
        said(payload),
        true,
        5_000,
      ),
    ).toBe(false);
  });

  it(`[ingest] counts once on ${RUNS} devices whose acknowledgements are lost, whatever is under way`, () => {
    for (let seed = SEED; seed < SEED + RUNS; seed += 1) {
      const random = seededRandom(seed);
      const repetitions = new Repetitions();
      const inFlight = 1 + Math.floor(random() * 20);
      const counts = new Map<string, number>();
      let now = 0;
      let number = 0;
      let connection = 0;
      let unacknowledged: string[] = [];
      const send = (payload: string, duplicate: boolean): void => {
        const delivery = { duplicate, connection: `${connection}` };
        // Before it, the connection may have broken: then it never arrived.
        if (!duplicate && random() < 0.2) return;
        if (repetitions.isRepetition("a", bytes(payload), delivery, said(bytes(payload)), true, now)) return;
        counts.set(payload, (counts.get(payload) ?? 0) + 1);
      };
      for (let round = 0; round < 20; round += 1) {
        for (
          let count = Math.floor(random() * 20);
          count > 0 && unacknowledged.length < inFlight;
          count -= 1
        ) {
          number += 1;
          unacknowledged.push(`${number}`);
          send(`${number}`, false);
          now += random() * 1_000;
        }
        if (random() < 0.5) unacknowledged = [];
        // The connection breaks, and is back; all that was not acknowledged is sent again.
        connection += 1;
        now += random() * 120_000;
        for (const payload of unacknowledged) send(payload, true);
        unacknowledged = [];
      }
      for (const [payload, count] of counts) expect(count, `seed ${seed}, message ${payload}`).toBe(1);
    }
  });
});
