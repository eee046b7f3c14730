import type { StorageFault } from "./storage-fault.ts";

/** State of the links behind the relay, as far as a sentence on a screen depends on it. */
export interface LinkFacts {
  readonly upstream: "up" | "degraded" | "down" | "clock";
  readonly mqtt: "up" | "down" | "off";
  readonly store: "redis" | "embedded" | "down";
  readonly notStoring?: { readonly fault: StorageFault } | null | undefined;
}

/** A reason why values are not live, and its place in the order: the worst first. */
export const TROUBLES = ["store", "upstream", "storage", "broker"] as const;
export type Trouble = (typeof TROUBLES)[number];

const IS_TROUBLED: Readonly<Record<Trouble, (link: LinkFacts) => boolean>> = {
  store: ({ store }) => store === "down",
  upstream: ({ upstream }) => upstream === "down",
  storage: ({ notStoring }) => Boolean(notStoring),
  broker: ({ mqtt }) => mqtt === "down",
};

/** Return what is wrong behind the relay, the worst first. A screen names the first only (LINK-1). */
export const troublesOf = (link: LinkFacts): Trouble[] =>
  TROUBLES.filter((trouble) => IS_TROUBLED[trouble](link));

/** A trouble that was over for a shorter time has not ended, ms (LINK-1). */
export const SETTLED_MS = 15_000;

/** A link as it is shown, and what decides when its troubles end. */
export interface SettledLink<L extends LinkFacts> {
  readonly shown: L;
  /** Since when a shown trouble is over, ms on the monotonic clock. */
  readonly overSince: Readonly<Partial<Record<Trouble, number>>>;
  /** Sources that were well once. The assumption of a start is no trouble that comes and goes. */
  readonly everWell: readonly Trouble[];
}

/** Take the part of a link that a trouble is about from another one. */
function keepTrouble<L extends LinkFacts>(link: L, trouble: Trouble, from: L): L {
  switch (trouble) {
    case "store":
      return { ...link, store: from.store };
    case "upstream":
      return { ...link, upstream: from.upstream };
    case "storage":
      return { ...link, notStoring: from.notStoring };
    case "broker":
      return { ...link, mqtt: from.mqtt };
  }
}

/**
 * Return the link to show (LINK-1): a trouble is shown at once, and ends when it was over for
 * {@link SETTLED_MS}.
 *
 * @param before the last result; null at the start
 * @param seen the link as it is now
 * @param now ms on the monotonic clock
 */
export function settleLink<L extends LinkFacts>(
  before: SettledLink<L> | null,
  seen: L,
  now: number,
): SettledLink<L> {
  let shown = seen;
  const overSince: Partial<Record<Trouble, number>> = {};
  const everWell = TROUBLES.filter(
    (trouble) => before?.everWell.includes(trouble) || !IS_TROUBLED[trouble](seen),
  );
  for (const trouble of before?.everWell ?? []) {
    if (before === null || IS_TROUBLED[trouble](seen) || !IS_TROUBLED[trouble](before.shown)) continue;
    const since = before.overSince[trouble] ?? now;
    if (now - since >= SETTLED_MS) continue;
    overSince[trouble] = since;
    shown = keepTrouble(shown, trouble, before.shown);
  }
  return { shown, overSince, everWell };
}

/** Return in how many ms a shown trouble ends, if it does not return; null if none is over. */
export function settlesInMs(
  { overSince }: Pick<SettledLink<LinkFacts>, "overSince">,
  now: number,
): number | null {
  const ends = Object.values(overSince).map((since) => since + SETTLED_MS - now);
  return ends.length === 0 ? null : Math.max(0, Math.min(...ends));
}
