import { useMemo } from "react";
import { byName } from "../../farm/by-name.ts";
import { whenInfosChange } from "../../farm/when-infos-change.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import type { NamedFarm } from "./farm-name.ts";

const FARMS = ["farm"] as const;

/** A farm as its forms know it. */
export interface KnownFarm extends NamedFarm {
  readonly description: string;
  readonly sensorIds: readonly string[];
}

const farmsIn = ({ farms }: LiveFarm): readonly KnownFarm[] =>
  [...farms]
    .map(([id, { info }]) => ({
      id,
      name: info.name,
      description: info.description ?? "",
      sensorIds: info.sensorIds.map(String),
    }))
    .sort(byName);

/** The farms by name, live. */
export function useKnownFarms(): readonly KnownFarm[] {
  return useLiveSelection(
    FARMS,
    useMemo(() => whenInfosChange(farmsIn), []),
  );
}
