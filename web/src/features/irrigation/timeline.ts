import type { PlannedWatering, UntimedWatering, WateringPreview } from "@mulkko/shared/rest/waterings";

/** Range of the timeline as shares of its width: 0 is the left edge, 1 the right. */
export interface Stretch {
  readonly left: number;
  readonly width: number;
}

/** Bar of a running or coming watering. */
export interface TimelineBar extends Stretch {
  readonly id: string;
  readonly kind: PlannedWatering["kind"];
  /** ms UTC. */
  readonly start: number;
  /** null without a set end. */
  readonly end: number | null;
  /** Number of others at the same time on the same farm or controller. */
  readonly overlaps: number;
  /** Overlaps within the bar, as parts of the bar's width. */
  readonly hatched: readonly Stretch[];
}

/** One channel's row. */
export interface TimelineRow {
  readonly channelId: string;
  readonly controllerId: string;
  readonly number: number;
  /** By begin. */
  readonly bars: readonly TimelineBar[];
  /** A mode in charge whose times are unknown; null where they are known. */
  readonly untimed: UntimedWatering | null;
}

export interface Timeline {
  readonly from: number;
  readonly to: number;
  /** Channels with bars or a mode without times: running ones first, then by the next watering. */
  readonly rows: readonly TimelineRow[];
}

/** Minimum width: a bar of one minute would be invisible in a day. */
const NARROWEST = 0.006;

interface Run {
  readonly from: number;
  readonly to: number;
}

/**
 * Lay out a preview. A running watering begins at the left edge; one without a set end is drawn up to
 * `now`.
 *
 * @param now ms UTC; within the preview, or a little after it was made
 */
export function timelineOf(preview: WateringPreview, now: number): Timeline {
  const [from, to] = [Date.parse(preview.from), Date.parse(preview.to)];
  const length = Math.max(1, to - from);
  const runs = new Map<string, Run>(preview.planned.map((plan) => [plan.id, runOf(plan, now)]));
  const rows = new Map<string, TimelineRow & { bars: TimelineBar[]; untimed: UntimedWatering | null }>();
  const rowOf = ({ channelId, controllerId, number }: PlannedWatering | UntimedWatering) => {
    const known = rows.get(channelId);
    if (known) return known;
    const row = { channelId, controllerId: `${controllerId}`, number, bars: [], untimed: null };
    rows.set(channelId, row);
    return row;
  };
  for (const plan of preview.planned) {
    const run = runs.get(plan.id);
    if (!run || run.to <= from || run.from >= to) continue;
    const place = within(run, { from, to });
    const left = Math.min((place.from - from) / length, 1 - NARROWEST);
    const others = plan.overlaps.flatMap((id) => runs.get(id) ?? []);
    rowOf(plan).bars.push({
      id: plan.id,
      kind: plan.kind,
      start: Date.parse(plan.start),
      end: plan.end === null ? null : Date.parse(plan.end),
      left,
      width: Math.min(1 - left, Math.max(NARROWEST, (place.to - place.from) / length)),
      overlaps: plan.overlaps.length,
      hatched: hatchedOf(place, others),
    });
  }
  for (const untimed of preview.untimed) rowOf(untimed).untimed = untimed;
  const ordered = [...rows.values()].sort((a, b) => nextOf(a) - nextOf(b) || a.number - b.number);
  return { from, to, rows: ordered };
}

const nextOf = ({ bars: [first] }: TimelineRow): number => first?.start ?? Number.MAX_SAFE_INTEGER;

function runOf({ start, end }: PlannedWatering, now: number): Run {
  const from = Date.parse(start);
  return { from, to: Math.max(from, end === null ? now : Date.parse(end)) };
}

const within = (a: Run, b: Run): Run => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) });

/** Return the ranges of a run that overlap with others, merged. */
function hatchedOf(run: Run, others: readonly Run[]): Stretch[] {
  const length = run.to - run.from;
  if (length <= 0) return [];
  const shared = others
    .map((other) => within(other, run))
    .filter((part) => part.to > part.from)
    .sort((a, b) => a.from - b.from);
  const merged: { from: number; to: number }[] = [];
  for (const part of shared) {
    const last = merged.at(-1);
    if (last && part.from <= last.to) last.to = Math.max(last.to, part.to);
    else merged.push({ ...part });
  }
  return merged.map((part) => ({
    left: (part.from - run.from) / length,
    width: (part.to - part.from) / length,
  }));
}

/** Return the free share of the width behind each bar, up to the next one or the right edge. */
export function roomBehind(bars: readonly Stretch[]): number[] {
  return bars.map(({ left, width }, index) => Math.max(0, (bars[index + 1]?.left ?? 1) - left - width));
}

/** Position of a bar's label: behind it, before it, or in it. */
export type LabelSide = "behind" | "before" | "within";

/** Width of a label with the begin alone, as a part of the label with begin and end. */
const BEGIN_ALONE = 0.66;

/**
 * Place a bar's label behind it as long as the label does not pass the right edge.
 *
 * @param roomy share of the width that a label with begin and end takes up
 */
export function labelSide(bar: Pick<TimelineBar, "left" | "width" | "overlaps">, roomy: number): LabelSide {
  const { left, width, overlaps } = bar;
  const needed = overlaps > 0 ? roomy : roomy * BEGIN_ALONE;
  if (1 - left - width >= needed) return "behind";
  return left >= needed ? "before" : "within";
}

const QUARTER_MS = 900_000;

/**
 * Return the instants from `from` to before `to` at which a zone's clock shows a multiple of so many hours.
 * Searched in quarter hours, the granularity of zone offsets, so that days of 23 or 25 hours are correct.
 */
export function hourMarks(from: number, to: number, zone: string, everyHours: number): number[] {
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const marks: number[] = [];
  for (let at = Math.ceil(from / QUARTER_MS) * QUARTER_MS; at < to; at += QUARTER_MS) {
    const [hour, minute] = clock.format(at).split(":").map(Number);
    if (minute === 0 && hour !== undefined && hour % everyHours === 0) marks.push(at);
  }
  return marks;
}

/** Return the position of an instant in the layout; null outside of it. */
export function placeOf({ from, to }: Pick<Timeline, "from" | "to">, instant: number): number | null {
  const place = (instant - from) / Math.max(1, to - from);
  return place < 0 || place > 1 ? null : place;
}
