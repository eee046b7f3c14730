import { channelKey, controllerKey, sensorKey } from "@mulkko/shared/rules/device-keys";
import type { LiveFarm } from "../../../live/hooks.ts";
import { farmMembers } from "../../farm/farm-members.ts";
import type { LogSource } from "../sources/source.ts";

/** Names of the farms of devices; null for none. */
export interface FarmNames {
  ofSource(source: Pick<LogSource, "id" | "kind">): string | null;
  ofChannel(channelId: string): string | null;
}

export function farmNamesIn(live: LiveFarm): FarmNames {
  const members = farmMembers(live);
  const named = (key: string): string | null =>
    members
      .of(key)
      .flatMap((id) => live.farms.get(id)?.info.name ?? [])
      .join(", ") || null;
  return {
    ofSource: ({ id, kind }) =>
      named(kind === "channel" && live.controllers.has(id) ? controllerKey(id) : sensorKey(id)),
    ofChannel: (channelId) => named(channelKey(channelId)),
  };
}
