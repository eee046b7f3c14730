import { createFakeClock } from "@mulkko/shared/testing/fake-clock";
import { createFakeTimers } from "@mulkko/shared/testing/fake-timers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Holder, NoPlaceError, Places, type PoolSize } from "./places.ts";

const SIZE: PoolSize = { all: 4, each: 2, eachAddress: 3, waitingAll: 6, waitingEach: 3, waitMs: 5_000 };

const at = (name: string, address: string | null = null): Holder => ({ name, address });

const createPool = (size: Partial<PoolSize> = {}) => {
  const timers = createFakeTimers(createFakeClock());
  return { timers, places: new Places({ ...SIZE, ...size }, timers) };
};
const reasonOf = (taken: Promise<unknown>): Promise<string> =>
  taken.then(
    () => "held",
    (error: unknown) => (error instanceof NoPlaceError ? error.reason : String(error)),
  );

describe("places", () => {
  it("[SHARE-1] leaves places for others, however much one asks for", async () => {
    const { places, timers } = createPool();
    const many = Array.from({ length: 9 }, () => reasonOf(places.take(at("a"))));
    await timers.pass(0);
    expect(places.taken).toBe(2);
    expect(await reasonOf(places.take(at("b")))).toBe("held");
    await timers.pass(5_000);
    expect((await Promise.all(many)).filter((reason) => reason === "held")).toHaveLength(2);
    expect(places.waiting).toBe(0);
  });

  it("[SHARE-1] counts a call for its account, and for its address", async () => {
    const { places } = createPool();
    for (const address of ["1", "2"]) await places.take(at("kim", address));
    const third = reasonOf(places.take(at("kim", "3")));
    expect(places.waiting).toBe(1);
    await places.take(at("lee", "1"));
    expect(await Promise.race([third, "waits"])).toBe("waits");

    const home = createPool().places;
    for (const name of ["kim", "kim", "lee"]) await home.take(at(name, "1"));
    const fourth = reasonOf(home.take(at("lee", "1")));
    expect(await reasonOf(home.take(at("lee", "2")))).toBe("held");
    expect(await Promise.race([fourth, "waits"])).toBe("waits");
  });

  it("[SHARE-1] gives a free place to the holder with fewest, not to the first", async () => {
    const { places, timers } = createPool({ each: 3 });
    const held = await Promise.all(["a", "a", "a", "b"].map((holder) => places.take(at(holder))));
    const order: string[] = [];
    for (const holder of ["b", "b", "c"]) void places.take(at(holder)).then(() => order.push(holder));
    held[0]?.();
    await timers.pass(0);
    expect(order).toEqual(["c"]);
    held[1]?.();
    held[1]?.();
    await timers.pass(0);
    expect(order).toEqual(["c", "b"]);
  });

  it("[SHARE-1] refuses after the longest wait, and at once where too many wait: first those of the holder with most", async () => {
    const { places, timers } = createPool({ all: 2 });
    for (const holder of ["a", "a"]) await places.take(at(holder));
    const waiting = Array.from({ length: 3 }, () => reasonOf(places.take(at("b"))));
    expect(await reasonOf(places.take(at("b")))).toBe("share-used");
    const others = ["c", "d", "e"].map((holder) => reasonOf(places.take(at(holder))));
    // `b` has most: its newest makes room.
    others.push(reasonOf(places.take(at("f"))));
    expect(await waiting[2]).toBe("pool-full");
    others.push(reasonOf(places.take(at("g"))));
    expect(await waiting[1]).toBe("pool-full");
    expect(await reasonOf(places.take(at("h")))).toBe("pool-full");
    expect(places.waiting).toBe(SIZE.waitingAll);
    await timers.pass(5_000);
    expect(await Promise.all([waiting[0], ...others])).toEqual(Array(6).fill("pool-full"));
    expect(places.waiting).toBe(0);
    expect(places.refused).toBe(10);
  });

  it("[SHARE-1] lets a caller who has gone wait no longer", async () => {
    const { places } = createPool({ all: 1 });
    await places.take(at("a"));
    const gone = new AbortController();
    const waiting = reasonOf(places.take(at("b"), 1, gone.signal));
    gone.abort();
    expect(await waiting).toBe("caller-gone");
    expect(await reasonOf(places.take(at("b"), 1, gone.signal))).toBe("caller-gone");
    expect([places.waiting, places.refused]).toEqual([0, 0]);
  });

  it("[SHARE-1] never gives more than the pool or a share has, loses no place, and lets no request wait beside a free one", async () => {
    const holder = fc.record({
      name: fc.constantFrom("a", "b", "c", "d"),
      address: fc.constantFrom(null, "1", "2"),
    });
    const step = fc.oneof(
      fc.record({
        kind: fc.constant("take" as const),
        holder,
        places: fc.integer({ min: 1, max: 3 }),
      }),
      fc.record({ kind: fc.constant("release" as const), which: fc.nat(20) }),
      fc.record({ kind: fc.constant("leave" as const), which: fc.nat(20) }),
      fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 0, max: 6_000 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { places, timers } = createPool();
        const held: { holder: Holder; places: number; release: () => void }[] = [];
        const waiting: { holder: Holder; places: number; gone: AbortController }[] = [];
        const sum = (isOf: (holder: Holder) => boolean = () => true): number =>
          held.filter(({ holder }) => isOf(holder)).reduce((total, one) => total + one.places, 0);
        const ofName = (of: string) => sum(({ name }) => name === of);
        const ofAddress = (of: string) => sum(({ address }) => address === of);
        for (const one of steps) {
          if (one.kind === "take") {
            const request = {
              holder: one.holder,
              places: Math.min(one.places, SIZE.each),
              gone: new AbortController(),
            };
            waiting.push(request);
            const ended = (): void => void waiting.splice(waiting.indexOf(request), 1);
            places.take(one.holder, one.places, request.gone.signal).then((release) => {
              ended();
              held.push({ holder: request.holder, places: request.places, release });
            }, ended);
          } else if (one.kind === "release") held.splice(one.which, 1)[0]?.release();
          else if (one.kind === "leave") waiting[one.which]?.gone.abort();
          await timers.pass(one.kind === "pass" ? one.ms : 0);
          expect(places.taken).toBe(sum());
          expect(sum()).toBeLessThanOrEqual(SIZE.all);
          for (const each of ["a", "b", "c", "d"]) expect(ofName(each)).toBeLessThanOrEqual(SIZE.each);
          for (const each of ["1", "2"]) expect(ofAddress(each)).toBeLessThanOrEqual(SIZE.eachAddress);
          expect(places.waiting).toBe(waiting.length);
          expect(places.waiting).toBeLessThanOrEqual(SIZE.waitingAll);
          for (const { holder, places } of waiting) {
            const fits =
              sum() + places <= SIZE.all &&
              ofName(holder.name) + places <= SIZE.each &&
              (holder.address === null || ofAddress(holder.address) + places <= SIZE.eachAddress);
            expect(fits).toBe(false);
          }
        }
        for (const { release } of held) release();
        await timers.pass(SIZE.waitMs);
        expect(places.waiting).toBe(0);
      }),
    );
  });
});
