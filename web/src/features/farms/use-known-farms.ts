import { useMemo } from "react";
import { whenInfosChange } from "../../domain/farm/when-infos-change.ts";
import { byName } from "../../i18n/by-name.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import type { NamedFarm } from "./farm-rules.ts";

const FARMS = ["farm"] as const;

/** Farm fields that its forms use. */
export interface KnownFarm extends NamedFarm {
  readonly description: string;
  readonly sensorIds: readonly string[];
  /** Version for changes; null if the API has none. */
  readonly version: string | null;
}

const farmsIn = ({ farms }: LiveFarm): readonly KnownFarm[] =>
  [...farms]
    .map(([id, { info }]) => ({
      id,
      name: info.name,
      description: info.description ?? "",
      sensorIds: info.sensorIds.map(String),
      version: info.version ?? null,
    }))
    .sort(byName);

/** Return the farms by name, live. */
export function useKnownFarms(): readonly KnownFarm[] {
  return useLiveSelection(
    FARMS,
    useMemo(() => whenInfosChange(farmsIn), []),
  );
}
