import type { Timers } from "@mulkko/shared/rules/clock";
import { repeat } from "@mulkko/shared/server/node-timers";
import Type from "typebox";
import { putSingle, type SingleCollection } from "../store/collections.ts";
import type { Documents } from "../store/documents.ts";
import type { DocumentWriter } from "../store/write-behind.ts";

/** The time in which an account was watched without a gap: both store time, ms UTC. */
const WatchedSpan = Type.Object({ since: Type.Number(), until: Type.Number() });
type WatchedSpan = Type.Static<typeof WatchedSpan>;

/** The newest span in which an account was watched (WAT-4). */
export const WATCHED_SPAN = {
  ...{ name: "watched-span", shape: "single", value: WatchedSpan },
  sqlite: { table: "watched_spans", value: ["since", "until"] },
  redis: { documents: "watched-span" },
} as const satisfies SingleCollection;

/** Since when an account has been watched without a gap; waterings from before may be unknown (WAT-4). */
export interface SpanWatch {
  /** Read the span that the previous owner stored. */
  restore(): Promise<void>;
  /** Extend the span to now, or begin a new one after a gap; does nothing while the account is not watched. */
  look(): void;
  /** Look, and return the begin of the span: store time, ms UTC; null before the account was watched. */
  since(): number | null;
  keep(): Promise<void>;
  close(): void;
}

export interface SpanWatchDeps {
  readonly store: Pick<Documents, "single">;
  readonly writer: DocumentWriter;
  /** Store time, ms UTC. */
  readonly now: () => number;
  /** True while the relay can see what the account's valves do. */
  readonly watching: () => boolean;
  readonly timers: Timers;
}

/** ms between two looks; each is stored, so that a crash loses no more than this. */
const LOOK_MS = 120_000;
/** A shorter pause is not a gap: a restart, a change of owner, or the distance between two polls. */
const GAP_MS = 300_000;

export function createSpanWatch({ store, writer, now, watching, timers }: SpanWatchDeps): SpanWatch {
  let span: WatchedSpan | null = null;
  let since: number | null = null;

  const look = (): void => {
    if (!watching()) return;
    const at = now();
    // A stored time in the future comes from another clock and proves nothing.
    const goesOn = span !== null && span.until <= at && at - span.until <= GAP_MS;
    span = { since: span !== null && goesOn ? span.since : at, until: at };
    since = span.since;
  };
  const keep = async (): Promise<void> => {
    if (span === null || since === null) return;
    await writer.put([putSingle(WATCHED_SPAN, span)]);
  };
  const looking = repeat(timers, LOOK_MS, () => {
    look();
    void keep();
  });

  return {
    async restore() {
      const stored = await store.single(WATCHED_SPAN);
      span = stored?.ok ? stored.value : null;
    },
    look,
    since() {
      look();
      return since;
    },
    keep,
    close: looking.cancel,
  };
}
