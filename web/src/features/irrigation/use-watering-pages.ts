import type { ListedWatering } from "@mulkko/shared/rest/waterings";
import { useEffect, useRef, useState } from "react";
import { errorReason } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import { fetchWaterings } from "../../api/waterings.ts";
import { NO_FARM } from "../../domain/farm/farm-members.ts";
import { seenSince } from "./day-sum.ts";
import type { FarmItem } from "./farm-list.ts";
import { useWaterings } from "./use-water.ts";
import { mergePages } from "./watering-pages.ts";

/** The waterings that a person has asked to see so far. */
export interface WateringPages {
  /** null until the first page is there. */
  readonly waterings: readonly ListedWatering[] | null;
  /** Since when waterings are known, ms UTC; null where the relay has watched for as long as they are kept (WAT-4). */
  readonly seenSince: number | null;
  readonly failure: string | null;
  readonly more: boolean;
  readonly loading: boolean;
  next(): void;
  again(): void;
}

interface Older {
  readonly key: string;
  readonly waterings: readonly ListedWatering[];
  /** The cursor behind the last of them; null after the end. */
  readonly cursor: string | null;
}

/** The newest page, live, and under it the older ones that were asked for. */
export function useWateringPages(farm: FarmItem, channel: string | null): WateringPages {
  const { client } = useRest();
  // What is on no farm cannot be asked for: all are, and the others left out.
  const asked = farm.id === NO_FARM ? null : farm.id;
  const key = `${asked} ${channel}`;
  const newest = useWaterings(asked, channel);
  const [older, setOlder] = useState<Older | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const [loading, setLoading] = useState(false);
  const asking = useRef<AbortController | null>(null);
  useEffect(() => () => asking.current?.abort(), []);

  const mine = older?.key === key ? older : null;
  const cursor = mine ? mine.cursor : (newest.value?.next ?? null);
  const next = async (): Promise<void> => {
    if (cursor === null || loading) return;
    const mark = new AbortController();
    asking.current = mark;
    setLoading(true);
    setFailed(null);
    try {
      const page = await fetchWaterings(
        client,
        {
          cursor,
          ...(asked === null ? {} : { farm: asked }),
          ...(channel === null ? {} : { channel }),
        },
        mark.signal,
      );
      if (mark.signal.aborted) return;
      const before = mine?.waterings ?? newest.value?.waterings ?? [];
      setOlder({ key, waterings: mergePages(before, page.waterings), cursor: page.next });
    } catch (error) {
      if (!mark.signal.aborted) setFailed(errorReason(error));
    } finally {
      if (!mark.signal.aborted) setLoading(false);
    }
  };
  const all = newest.value && mergePages(newest.value.waterings, mine?.waterings ?? []);
  return {
    waterings: all && (farm.id === NO_FARM ? all.filter(({ farmIds }) => farmIds.length === 0) : all),
    seenSince: newest.value && seenSince(newest.value),
    failure: failed ?? newest.failure,
    more: cursor !== null,
    loading,
    next: () => void next(),
    again: () => {
      setFailed(null);
      newest.again();
    },
  };
}
