import type { Intent } from "../core/intent.ts";
import { saidAt } from "../core/report-order.ts";
import { causeOf, endReasonOf } from "../core/watering-story.ts";
import type { ChannelReport } from "../ports/channel-report.ts";
import type { DeskTools } from "./desk-tools.ts";

/**
 * Begins or ends the channel's watering where a report shows that water began or ceased to flow (WAT-1).
 *
 * @param before the intent as it was before the report
 * @param after the intent with it
 * @param now store time, ms UTC
 */
export function noteWatering(
  channelKey: string,
  { waterings, writer }: Pick<DeskTools, "waterings" | "writer">,
  report: ChannelReport,
  intents: { before: Intent | null; after: Intent | null },
  now: number,
): void {
  const { before, after } = intents;
  const running = waterings.running(channelKey);
  const at = Math.min(now, saidAt(report) ?? now);
  if (report.onoff === 1 && !running) {
    const cause = causeOf(after, report);
    waterings.begin(channelKey, { cause, by: cause === "person" && after ? after.by : null, at });
  }
  if (report.onoff === 1) {
    waterings.plan(channelKey, report.runUntil === null ? null : report.runUntil - (after?.offsetMs ?? 0));
  }
  if (report.onoff === 2 && running) {
    const channel = writer.get(channelKey);
    const moisture = {
      now: typeof channel?.moisture === "number" ? channel.moisture : null,
      upperBound: upperBoundOf(channel?.modes),
    };
    const unseen = waterings.unseenFor(channelKey);
    const reason = endReasonOf(before, running.cause, report, moisture, unseen);
    waterings.end(channelKey, reason, at, before?.want === "close" && before.why === "pressed");
  }
}

function upperBoundOf(modes: unknown): number | null {
  if (typeof modes !== "object" || modes === null || !("automatic" in modes)) return null;
  const { automatic } = modes;
  if (typeof automatic !== "object" || automatic === null || !("upperBound" in automatic)) return null;
  return typeof automatic.upperBound === "number" ? automatic.upperBound : null;
}
