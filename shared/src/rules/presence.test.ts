import { expect, test } from "vitest";
import { contactHistory } from "../testing/contact-history.ts";
import { seededRandom } from "../testing/random.ts";
import { cameBack, contactTime, type Flip, isPossibleFlip, lastFlip, wentOffline } from "./presence.ts";

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 10, 21, 12);
const iso = (at: number): string => new Date(at).toISOString();
const wire = ({ at, online, last }: Flip) => ({
  at: iso(at),
  online,
  last: last === null ? null : iso(last),
});

test("[FLIP-1] a message proves a contact at its arrival, or at its own time after more than an hour", () => {
  expect(contactTime({ at: NOON - HOUR, heardAt: NOON })).toBe(NOON);
  expect(contactTime({ at: NOON - HOUR - 1, heardAt: NOON })).toBe(NOON - HOUR - 1);
});

test("[FLIP-1] a device went offline when its allowed silence was over, whenever that is noticed", () => {
  expect(wentOffline(NOON)).toEqual({ at: NOON + HOUR, online: false, last: NOON });
  expect(wentOffline(NOON, 5 * HOUR).at).toBe(NOON + 5 * HOUR);
  expect(cameBack(NOON, null)).toEqual({ at: NOON, online: true, last: null });
});

test("[FLIP-1] a source without a flip erases none, and of one flip the earlier record counts", () => {
  const gone = wire(wentOffline(NOON));
  expect(lastFlip(gone, null)).toBe(gone);
  expect(lastFlip(null, gone)).toBe(gone);
  const noticedLater = { ...gone, at: iso(NOON + 2 * HOUR), last: iso(NOON + 400) };
  expect(lastFlip(noticedLater, gone)).toBe(gone);
  const back = wire(cameBack(NOON + 90 * 60_000, NOON));
  expect(lastFlip(noticedLater, back)).toBe(back);
});

test("[FLIP-1] a contact within the allowed silence disproves that a device went offline", () => {
  const gone = wire(wentOffline(NOON));
  expect(isPossibleFlip(gone, NOON)).toBe(true);
  expect(isPossibleFlip(gone, NOON + 999)).toBe(true);
  expect(isPossibleFlip(gone, NOON + HOUR / 2)).toBe(false);
  expect(isPossibleFlip(gone, NOON + HOUR)).toBe(true);
  expect(isPossibleFlip(wire(cameBack(NOON, null)), NOON - 1)).toBe(true);
});

test("[FLIP-1] sources of one generated history agree in any order", () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const history = contactHistory(seed);
    const random = seededRandom(seed);
    // Each source knows the flips up to some moment; some know none yet.
    const known = Array.from({ length: 8 }, () => {
      const until = history.start + random() * (history.end - history.start);
      const flip = random() < 0.3 ? null : history.flipAt(until);
      return flip && wire(flip);
    });
    const newest = history.flipAt(history.end);
    const flips = [...known, newest && wire(newest)];
    const merged = (of: typeof flips) => of.reduce(lastFlip, null);
    expect(merged(flips), `seed ${seed}`).toEqual(newest && wire(newest));
    for (let turn = 0; turn < 5; turn += 1) {
      const mixed = [...flips].sort(() => random() - 0.5);
      const half = Math.floor(random() * mixed.length);
      const parts = lastFlip(merged(mixed.slice(0, half)), merged(mixed.slice(half)));
      expect(parts, `seed ${seed}`).toEqual(merged(flips));
    }
  }
});
