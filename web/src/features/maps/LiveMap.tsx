import { type Ref, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMapStyleUrl } from "../../api/extensions.ts";
import { createMarkerSource } from "../../domain/map/device-markers.ts";
import { FarmMap } from "../../domain/map/farm-map.tsx";
import type { FarmMapHandle, FarmMapProps } from "../../domain/map/farm-map-props.ts";
import { farmOutlines } from "../../domain/map/farm-outlines.ts";
import type { MapOutline } from "../../domain/map/marker.ts";
import { type LiveFarm, useLiveSelection, useShownQuality } from "../../live/hooks.ts";

// Every reading, not the listing alone: a mark of crop stress has its value in it.
const MARKED = ["sensor", "alarm"] as const;
const OUTLINED = ["sensor.listing", "farm.listing"] as const;

const sameOutlines = (a: readonly MapOutline[], b: readonly MapOutline[]): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

export interface LiveMapProps
  extends Pick<FarmMapProps, "picked" | "onPick" | "focus" | "covered" | "popup"> {
  /** Types that are shown; null is all. */
  readonly types: readonly string[] | null;
  readonly ref?: Ref<FarmMapHandle>;
}

/** The map with the farm's devices on it, as they are now. Drawn again only where a mark would be. */
export function LiveMap({ types, ...rest }: LiveMapProps) {
  const { t } = useTranslation("maps");
  const [source] = useState(createMarkerSource);
  // What is fresh is as good as the links allow.
  const link = useShownQuality("fresh") ?? "unknown";
  const markers = useLiveSelection(
    MARKED,
    useCallback((farm: LiveFarm) => source(farm, types, link), [source, types, link]),
  );
  const outlines = useLiveSelection(
    OUTLINED,
    useCallback((farm: LiveFarm) => farmOutlines(farm.farms, farm.sensors), []),
    sameOutlines,
  );
  const styleUrl = useMapStyleUrl();
  // A map that is drawn twice, once on the wrong ground, says less than one that comes a moment later.
  if (styleUrl === undefined) return null;
  return <FarmMap {...rest} label={t("label")} markers={markers} outlines={outlines} styleUrl={styleUrl} />;
}
