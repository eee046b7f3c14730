import { ChannelValue } from "@mulkko/shared/live/devices";
import type { WateringPreview } from "@mulkko/shared/rest/waterings";
import type { ApiTimeZone } from "@mulkko/shared/rules/api-time";
import { channelIdOf } from "@mulkko/shared/rules/device-keys";
import { parse } from "@mulkko/shared/schema/parse";
import { type FarmState, farmIndexOf } from "../../account/farm-index.ts";
import type { ChannelWatering } from "../commands.ts";
import { PREVIEW_MS, type PreviewChannel, previewWaterings } from "./watering-preview.ts";

/** The preview of an account, or of one of its farms; `now` ms UTC. */
export function previewOf(
  farm: string | undefined,
  account: {
    readonly state: FarmState;
    readonly waterings: readonly ChannelWatering[];
    readonly zone: ApiTimeZone;
    readonly now: number;
  },
): WateringPreview {
  const { state, waterings, zone, now } = account;
  const farms = farmIndexOf(Object.entries(state));
  const running = new Map<string, ChannelWatering["watering"]>();
  const lastPeriod = new Map<string, number>();
  for (const { channelKey, watering } of waterings) {
    const start = Date.parse(watering.start);
    if (watering.end === null) running.set(channelKey, watering);
    if (watering.cause === "period") {
      lastPeriod.set(channelKey, Math.max(start, lastPeriod.get(channelKey) ?? start));
    }
  }
  const channels: PreviewChannel[] = [];
  for (const [key, value] of Object.entries(state)) {
    const channel = key.startsWith("channel:") ? parse(ChannelValue, value) : null;
    if (!channel?.ok) continue;
    const farmIds = [...farms.of(key)];
    if (farm !== undefined && !farmIds.includes(farm)) continue;
    const { controllerId, number, quality, modes, runUntil } = channel.value;
    const watering = running.get(key);
    channels.push({
      place: { channelId: channelIdOf(key), controllerId, number, farmIds, quality },
      modes,
      running: watering ? { watering, until: runUntil === null ? null : Date.parse(runUntil) } : null,
      lastPeriod: lastPeriod.get(key) ?? null,
    });
  }
  return {
    timezone: zone.zone,
    from: new Date(now).toISOString(),
    to: new Date(now + PREVIEW_MS).toISOString(),
    ...previewWaterings(channels, zone, now),
  };
}
