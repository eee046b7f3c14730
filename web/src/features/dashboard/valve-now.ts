import { waterNow } from "../../farm/last-report.ts";
import type { BoxChannel, ValveBox } from "../../farm/valve-boxes.ts";

/** One channel with the box that it belongs to. */
export interface ValveNow {
  readonly box: ValveBox;
  readonly channel: BoxChannel;
}

/** What a person looks for first: trouble, then water, then what moves, then the rest. */
function rank({ channel: { value } }: ValveNow): number {
  const state = value.command?.state;
  if (state === "failed" || state === "unconfirmed") return 0;
  if (value.onoff === 1) return 1;
  return state === "requested" || state === "accepted" ? 2 : 3;
}

/** Every channel, the ones that matter now first; otherwise in the order of the boxes. */
export function valvesNow(boxes: readonly ValveBox[]): ValveNow[] {
  const all = boxes.flatMap((box) => box.channels.map((channel) => ({ box, channel })));
  return all
    .map((valve, index) => ({ valve, index }))
    .sort((a, b) => rank(a.valve) - rank(b.valve) || a.index - b.index)
    .map(({ valve }) => valve);
}

/**
 * Open channels by a live report, or with `ran` those that were open by their last one; the one that ends first
 * stands first, one without an end last.
 */
export function waterIn(valves: readonly ValveNow[], water: "runs" | "ran"): ValveNow[] {
  const end = ({ channel }: ValveNow) => channel.value.runUntil ?? "9";
  return valves
    .filter(({ channel }) => waterNow(channel.value) === water)
    .sort((a, b) => (end(a) < end(b) ? -1 : end(a) > end(b) ? 1 : 0));
}
