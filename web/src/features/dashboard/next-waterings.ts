import type { PlannedWatering, WateringPreview } from "@mulkko/shared/rest/waterings";

/** Most waterings to come that a glance takes in; the others are on the irrigation page. */
export const NEXT_AT_MOST = 5;

/** The part of the next 24 hours that the dashboard shows. */
export interface NextWaterings {
  /** The earliest first; what runs already is not to come. */
  readonly coming: readonly PlannedWatering[];
  /** How many more there are. */
  readonly more: number;
  /** Channels that water when the soil is dry, at an unknown time. */
  readonly byMoisture: number;
  /** Channels whose mode is in charge and cannot run, or not at a known time. */
  readonly unclear: number;
  /** Channels whose modes are not reported. */
  readonly unread: number;
}

export function nextWaterings({ planned, untimed, unread }: WateringPreview): NextWaterings {
  const coming = planned
    .filter(({ kind }) => kind !== "running")
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.number - b.number));
  const byMoisture = untimed.filter(({ reason }) => reason === "by-moisture").length;
  return {
    coming: coming.slice(0, NEXT_AT_MOST),
    more: Math.max(0, coming.length - NEXT_AT_MOST),
    byMoisture,
    unclear: untimed.length - byMoisture,
    unread: unread.length,
  };
}
