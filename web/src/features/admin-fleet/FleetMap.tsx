import { Box, Text } from "@chakra-ui/react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useMapStyleUrl } from "../../api/extensions.ts";
import type { BoardEntry } from "../../domain/fleet/board.ts";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import { useFleetSelection } from "../../domain/fleet/hooks.ts";
import { FarmMap } from "../../domain/map/farm-map.tsx";
import { useShownQuality } from "../../live/hooks.ts";
import { fleetMarkers } from "./fleet-markers.ts";

const DEVICES = ["device"] as const;

interface FleetMapProps {
  readonly entries: readonly BoardEntry[];
  readonly picked: string | null;
  readonly onPick: (key: string | null) => void;
}

/** Show the board's devices on a map; a cluster shows the worst of its devices. */
export function FleetMap({ entries, picked, onPick }: FleetMapProps) {
  const { t } = useTranslation("fleet");
  // The best quality that the links allow for a device.
  const link = useShownQuality("fresh") ?? "unknown";
  const { markers, unplaced } = useFleetSelection(
    DEVICES,
    useCallback((store: FleetStore) => fleetMarkers(entries, store.all("device"), link), [entries, link]),
    (a, b) =>
      a.unplaced === b.unplaced &&
      a.markers.length === b.markers.length &&
      a.markers.every((marker, index) => marker === b.markers[index]),
  );
  const styleUrl = useMapStyleUrl();
  return (
    <>
      {unplaced > 0 && <Text color="fg.muted">{t("unplaced", { count: unplaced })}</Text>}
      <Box
        h={{
          base: "max(18rem, calc(100dvh - 29rem))",
          md: "max(24rem, calc(100dvh - 19rem - var(--menu-bar)))",
        }}
        overflow="hidden"
        borderWidth="1px"
        rounded="card"
      >
        {styleUrl !== undefined && (
          <FarmMap
            label={t("mapLabel")}
            markers={markers}
            outlines={NO_OUTLINES}
            picked={picked}
            onPick={onPick}
            focus={null}
            styleUrl={styleUrl}
          />
        )}
      </Box>
    </>
  );
}

const NO_OUTLINES = [] as const;
