import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type LinkFacts,
  RETURNS_WITHIN_MS,
  SETTLED_MS,
  type SettledLink,
  settleLink,
  settlesInMs,
  TROUBLES,
  type Trouble,
  troublesOf,
} from "./link-trouble.ts";

const parameters = { seed: Number(process.env.FUZZ_SEED ?? 20_261_128), numRuns: 2_000 };
const WELL: LinkFacts = { upstream: "up", mqtt: "up", store: "embedded", notStoring: null };

const linkWith = (troubles: ReadonlySet<Trouble>): LinkFacts => ({
  upstream: troubles.has("upstream") ? "down" : "up",
  mqtt: troubles.has("broker") ? "down" : "up",
  store: troubles.has("store") ? "down" : "embedded",
  notStoring: troubles.has("storage") ? { fault: "disk-full" } : null,
});

interface Shown {
  readonly at: number;
  readonly sentence: Trouble | null;
}

/** Show a link whose sources change at given times, as the relay does: at each change and each end. */
function sentencesOf(changes: readonly { at: number; link: LinkFacts }[], until: number): Shown[] {
  let settled: SettledLink<LinkFacts> = settleLink(null, WELL, 0);
  const shown: Shown[] = [{ at: 0, sentence: null }];
  let link = WELL;
  const look = (at: number): void => {
    settled = settleLink(settled, link, at);
    const sentence = troublesOf(settled.shown)[0] ?? null;
    if (shown.at(-1)?.sentence !== sentence) shown.push({ at, sentence });
  };
  let now = 0;
  const pass = (to: number): void => {
    for (;;) {
      const inMs = settlesInMs(settled, now);
      if (inMs === null || now + inMs > to) break;
      now += inMs;
      look(now);
    }
    now = to;
  };
  for (const change of changes) {
    pass(change.at);
    link = change.link;
    look(now);
  }
  pass(until);
  return shown;
}

describe("the sentence about the links", () => {
  it("[LINK-1] stays one while the disk is full and the store comes and goes", () => {
    const changes: { at: number; link: LinkFacts }[] = [];
    for (let at = 1_000; at < 300_000; at += 5_000) {
      const isUp = changes.length % 2 === 1;
      changes.push({ at, link: linkWith(new Set<Trouble>(isUp ? ["storage"] : ["storage", "store"])) });
    }
    expect(sentencesOf(changes, 300_000)).toEqual([
      { at: 0, sentence: null },
      { at: 1_000, sentence: "store" },
    ]);
  });

  it("[LINK-1] ends when the trouble was over for a while, and a worse one is said at once", () => {
    const changes = [
      { at: 1_000, link: linkWith(new Set<Trouble>(["storage"])) },
      { at: 5_000, link: linkWith(new Set<Trouble>(["storage", "store"])) },
      { at: 20_000, link: linkWith(new Set<Trouble>(["storage"])) },
      { at: 60_000, link: WELL },
    ];
    expect(sentencesOf(changes, 100_000)).toEqual([
      { at: 0, sentence: null },
      { at: 1_000, sentence: "storage" },
      { at: 5_000, sentence: "store" },
      { at: 20_000 + SETTLED_MS, sentence: "storage" },
      { at: 60_000, sentence: null },
    ]);
  });

  it("[LINK-1] ends a single outage at once, and one that comes and goes when it was over for a while", () => {
    const away = linkWith(new Set<Trouble>(["upstream"]));
    const changes = [
      { at: 1_000, link: away },
      { at: 5_000, link: WELL },
      { at: 10_000, link: away },
      { at: 20_000, link: WELL },
      { at: 25_000, link: away },
      { at: 30_000, link: WELL },
      { at: 30_000 + SETTLED_MS + RETURNS_WITHIN_MS, link: away },
      { at: 200_000, link: WELL },
    ];
    expect(sentencesOf(changes, 300_000)).toEqual([
      { at: 0, sentence: null },
      { at: 1_000, sentence: "upstream" },
      { at: 5_000, sentence: null },
      { at: 10_000, sentence: "upstream" },
      { at: 30_000 + SETTLED_MS, sentence: null },
      { at: 30_000 + SETTLED_MS + RETURNS_WITHIN_MS, sentence: "upstream" },
      { at: 200_000, sentence: null },
    ]);
  });

  it("[LINK-1] does not hold what a start only assumes", () => {
    const assumed = { ...WELL, upstream: "down", mqtt: "down" } as const;
    for (const start of [assumed, { ...WELL, store: "down" } as const]) {
      const first = settleLink<LinkFacts>(null, start, 0);
      expect(settleLink(first, WELL, 1).shown).toEqual(WELL);
    }
  });

  it("[LINK-1] changes only when the worst cause changed for good, whatever comes and goes", () => {
    const trouble = fc.constantFrom(...TROUBLES);
    const change = fc.record({
      afterMs: fc.integer({ min: 1, max: 40_000 }),
      flips: fc.set(trouble, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (steps) => {
        let at = 0;
        const now = new Set<Trouble>();
        const changes = steps.map(({ afterMs, flips }) => {
          at += afterMs;
          for (const one of flips) if (!now.delete(one)) now.add(one);
          return { at, link: linkWith(now) };
        });
        const isThere = (one: Trouble, time: number): boolean => {
          const link = changes.findLast((each) => each.at <= time)?.link;
          return link !== undefined && troublesOf(link).includes(one);
        };
        /** Return for how long a trouble was over at a moment. */
        const overFor = (one: Trouble, time: number): number => {
          const last = changes.findLastIndex(
            (each) => each.at <= time && troublesOf(each.link).includes(one),
          );
          return time - (changes[last + 1]?.at ?? time);
        };
        const shown = sentencesOf(changes, at + 2 * SETTLED_MS);
        for (const [n, { at: time, sentence }] of shown.entries()) {
          const until = shown[n + 1]?.at ?? at + 2 * SETTLED_MS;
          const times = [
            time,
            ...changes.map((each) => each.at).filter((each) => each > time && each < until),
          ];
          for (const moment of times) {
            // The worst that is there is said, or a worse one that has not ended for good.
            const worst = TROUBLES.find((one) => isThere(one, moment)) ?? null;
            if (worst !== null) expect(sentence).not.toBeNull();
            if (worst !== null && sentence !== null)
              expect(TROUBLES.indexOf(sentence)).toBeLessThanOrEqual(TROUBLES.indexOf(worst));
            if (sentence !== null && !isThere(sentence, moment))
              expect(overFor(sentence, moment)).toBeLessThan(SETTLED_MS);
          }
        }
        // A sentence that ended because its cause was over returns within a minute once, and then stays.
        for (const one of TROUBLES) {
          const isLess = (sentence: Trouble | null): boolean =>
            sentence === null || TROUBLES.indexOf(sentence) > TROUBLES.indexOf(one);
          const ends = shown.flatMap(({ at: end, sentence }, n) =>
            shown[n - 1]?.sentence === one && isLess(sentence) ? [end] : [],
          );
          for (const [n, end] of ends.entries()) {
            const begin = shown.find(
              ({ at: from, sentence }) => sentence === one && from > (ends[n - 1] ?? -1),
            );
            const isReturn =
              n > 0 && begin !== undefined && begin.at - (ends[n - 1] ?? 0) < RETURNS_WITHIN_MS;
            if (one === "store" || isReturn) expect(overFor(one, end)).toBeGreaterThanOrEqual(SETTLED_MS);
          }
        }
      }),
      parameters,
    );
  });
});
