import type { Actor } from "@mulkko/shared/live/devices";
import type { ChannelReport } from "../../account/channel-report.ts";
import type { AccountValues } from "../../account/farm-index.ts";
import { saidAt } from "../../account/report-order.ts";
import type { Intent } from "../intent.ts";
import { causeOf, endReasonOf } from "./watering-end.ts";
import type { WateringRegistry } from "./watering-registry.ts";

/**
 * Begin or end the channel's watering when a report shows that water started or stopped flowing (WAT-1).
 * @param before the intent before the report
 * @param after the intent after it
 * @param now store time, ms UTC
 */
export function noteWatering(
  channelKey: string,
  { waterings, state }: { waterings: WateringRegistry; state: Pick<AccountValues, "get"> },
  report: ChannelReport,
  intents: { before: Intent | null; after: Intent | null },
  now: number,
): void {
  const { before, after } = intents;
  const running = waterings.running(channelKey);
  const at = Math.min(now, saidAt(report) ?? now);
  if (report.onoff === 1 && !running) {
    const cause = causeOf(after, report);
    waterings.begin(channelKey, { cause, by: cause === "person" ? openerOf(after) : null, at });
  }
  if (report.onoff === 1) {
    waterings.plan(channelKey, report.runUntil === null ? null : report.runUntil - (after?.offsetMs ?? 0));
  }
  if (report.onoff === 2 && running) {
    const channel = state.get(channelKey);
    const moisture = {
      now: typeof channel?.moisture === "number" ? channel.moisture : null,
      upperBound: upperBoundOf(channel?.modes),
    };
    const unseen = waterings.unseenFor(channelKey);
    const reason = endReasonOf(before, running.cause, report, moisture, unseen);
    waterings.end(channelKey, reason, at, before?.want === "close" && before.why === "pressed");
  }
}

/**
 * Return the person who commanded the opening that a report shows. For an opening after its close, that is
 * the command from before the close.
 */
function openerOf(intent: Intent | null): Actor | null {
  if (intent === null) return null;
  return (intent.want === "close" ? intent.earlierOpens?.press?.by : null) ?? intent.by;
}

function upperBoundOf(modes: unknown): number | null {
  if (typeof modes !== "object" || modes === null || !("automatic" in modes)) return null;
  const { automatic } = modes;
  if (typeof automatic !== "object" || automatic === null || !("upperBound" in automatic)) return null;
  return typeof automatic.upperBound === "number" ? automatic.upperBound : null;
}
