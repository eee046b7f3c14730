import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type LinkFacts,
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
      { at: 60_000 + SETTLED_MS, sentence: null },
    ]);
  });

  it("[LINK-1] does not hold what a start only assumes", () => {
    const assumed = { ...WELL, upstream: "down", mqtt: "down" } as const;
    const first = settleLink<LinkFacts>(null, assumed, 0);
    expect(settleLink(first, WELL, 1).shown).toEqual(WELL);
    const again = settleLink(settleLink(settleLink(first, WELL, 1), assumed, 2), WELL, 3);
    expect(again.shown).toEqual(assumed);
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
        /** The worst trouble of the last moments: it is there, or was not away for long enough. */
        const worst = (time: number): Trouble | null =>
          TROUBLES.find((one) => {
            const before = changes.filter((each) => each.at <= time);
            const isThere = (link: LinkFacts | undefined) =>
              link !== undefined && troublesOf(link).includes(one);
            if (isThere(before.at(-1)?.link)) return true;
            const lastThere = before.findLastIndex(({ link }) => isThere(link));
            const over = before[lastThere + 1];
            return lastThere >= 0 && over !== undefined && time - over.at < SETTLED_MS;
          }) ?? null;
        const shown = sentencesOf(changes, at + 2 * SETTLED_MS);
        const times = [...changes.map((each) => each.at), ...shown.map((each) => each.at), at + SETTLED_MS];
        for (const time of times) {
          const said = shown.findLast((each) => each.at <= time)?.sentence ?? null;
          expect(said).toBe(worst(time));
        }
      }),
      parameters,
    );
  });
});
