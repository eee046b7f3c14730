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

/** A trouble that comes and goes has ended when it was over for this long, ms (LINK-1). */
export const SETTLED_MS = 15_000;
/** A trouble that returns within this time after its end comes and goes, ms. */
export const RETURNS_WITHIN_MS = 60_000;

/** A link as it is shown, and what decides when its troubles end. All times are ms on the monotonic clock. */
export interface SettledLink<L extends LinkFacts> {
  readonly shown: L;
  /** Since when a shown trouble is over. */
  readonly overSince: Readonly<Partial<Record<Trouble, number>>>;
  /** When a trouble was last shown as ended. */
  readonly endedAt: Readonly<Partial<Record<Trouble, number>>>;
  /** Shown troubles that returned soon after their end. */
  readonly returned: readonly Trouble[];
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
 * Return the link to show (LINK-1). A trouble is shown at once. It ends at once, too, unless it comes and goes:
 * then it ends when it was over for {@link SETTLED_MS}. The store always does, because on a full disk a small
 * write may succeed.
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
  if (before === null) {
    const everWell = TROUBLES.filter((trouble) => !IS_TROUBLED[trouble](seen));
    return { shown: seen, overSince: {}, endedAt: {}, returned: [], everWell };
  }
  let shown = seen;
  const overSince: Partial<Record<Trouble, number>> = {};
  const endedAt = { ...before.endedAt };
  const returned: Trouble[] = [];
  for (const trouble of TROUBLES) {
    const wasShown = IS_TROUBLED[trouble](before.shown);
    const { [trouble]: ended } = before.endedAt;
    const isBack = !wasShown && ended !== undefined && now - ended < RETURNS_WITHIN_MS;
    const comesAndGoes = isBack || before.returned.includes(trouble);
    if (IS_TROUBLED[trouble](seen)) {
      if (comesAndGoes) returned.push(trouble);
      continue;
    }
    if (!wasShown) continue;
    const since = before.overSince[trouble] ?? now;
    const isHeld = (trouble === "store" || comesAndGoes) && before.everWell.includes(trouble);
    if (isHeld && now - since < SETTLED_MS) {
      overSince[trouble] = since;
      shown = keepTrouble(shown, trouble, before.shown);
      if (comesAndGoes) returned.push(trouble);
    } else if (before.everWell.includes(trouble)) endedAt[trouble] = now;
  }
  const everWell = TROUBLES.filter(
    (trouble) => before.everWell.includes(trouble) || !IS_TROUBLED[trouble](seen),
  );
  return { shown, overSince, endedAt, returned, everWell };
}

/** Return in how many ms a shown trouble ends, if it does not return; null if none is over. */
export function settlesInMs(
  { overSince }: Pick<SettledLink<LinkFacts>, "overSince">,
  now: number,
): number | null {
  const ends = Object.values(overSince).map((since) => since + SETTLED_MS - now);
  return ends.length === 0 ? null : Math.max(0, Math.min(...ends));
}
