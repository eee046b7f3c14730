import { Box, Button, Flex, Grid, Stack, Text } from "@chakra-ui/react";
import { fleetAccountKey } from "@mulkko/shared/live/fleet-keys";
import { ClockIcon, DownloadIcon } from "lucide-react";
import { useCallback, useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { shallow } from "zustand/shallow";
import { useMapStyleUrl } from "../../api/extensions.ts";
import { useClaim } from "../../api/knowledge.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { ChoiceSegments } from "../../components/choice.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { SearchBox } from "../../components/field.tsx";
import { SensorHillside } from "../../components/scenes/sensor-hillside.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import type { BoardEntry } from "../../domain/fleet/board.ts";
import { NO_FILTER, UNSAID } from "../../domain/fleet/filter.ts";
import type { FleetStore } from "../../domain/fleet/fleet-store.ts";
import {
  useAskingTexts,
  useBoard,
  useFleet,
  useFleetSelection,
  useFleetStatus,
  useLoadingTexts,
} from "../../domain/fleet/hooks.ts";
import { FarmMap } from "../../domain/map/farm-map.tsx";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useLink, useLinkQuality } from "../../live/hooks.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { BoardList } from "./BoardList.tsx";
import { DeviceSheet } from "./DeviceSheet.tsx";
import { type FacetTranslation, FilterBar } from "./FilterBar.tsx";
import { fleetMarkers } from "./fleet-markers.ts";
import { useFleetAddress, VIEWS } from "./use-fleet-address.ts";
import { useFleetExport } from "./use-fleet-export.ts";

const DEVICES = ["device"] as const;

interface FleetMapProps {
  readonly entries: readonly BoardEntry[];
  readonly picked: string | null;
  readonly onPick: (key: string | null) => void;
}

/** Show the board's devices on a map; a cluster shows the worst of its devices. */
function FleetMap({ entries, picked, onPick }: FleetMapProps) {
  const { t } = useTranslation("fleet");
  const link = useLinkQuality();
  const { markers, unplaced } = useFleetSelection(
    DEVICES,
    useCallback((store: FleetStore) => fleetMarkers(entries, store.all("device"), link), [entries, link]),
    (a, b) => a.unplaced === b.unplaced && shallow(a.markers, b.markers),
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

/** Numbers of then, as a reading that is late: slanted and pale. */
const PALE = {
  "&:not([data-link=fresh])": {
    "& :is([data-count], .board-heading__silent, .board-heading__count)": { fontStyle: "italic" },
    "& :is(.board-heading__silent, .board-heading__count)": { color: "fg.subtle" },
    "& button:has([data-count])": { borderStyle: "dashed" },
  },
};

/** `/adminpage/status`: every device of every account, worst first, live. */
export function StatusPage() {
  const { t } = useTranslation(["fleet", "common"]);
  const labels = useLabels();
  const store = useFleet();
  const status = useFleetStatus();
  const loading = useLoadingTexts();
  const asking = useAskingTexts();
  const phone = useSurface() === "phone";
  const link = useLinkQuality();
  const claim = useClaim();
  const { filter, view: asked, picked, onFilter, onText, onView, onPick } = useFleetAddress();
  const board = useBoard(useDeferredValue(filter));
  const file = useFleetExport(store, board.entries);
  // A phone is as wide as two cells.
  const views = phone ? VIEWS.filter((each) => each !== "tight") : VIEWS;
  const view = views.find((each) => each === asked) ?? "list";

  const translate: FacetTranslation = (facet, value) => {
    if (facet === "alarm") return t(value === "1" ? "alarm.1" : "alarm.2");
    if (facet === "need")
      return t(value === "battery" ? "common:alarmType.battery" : "common:alarmType.rssi");
    if (value === UNSAID) return t("facet.unsaid");
    if (facet === "type") return labels.deviceType(value);
    if (facet !== "account") return value;
    const account = store.get("account", fleetAccountKey(value));
    return account?.username ?? value;
  };

  if (board.total === 0 && status.state === "here") {
    return <EmptyState scene={<SensorHillside />} title={claim(t("empty"))} />;
  }
  const { shown, total, entries } = board;
  return (
    <Grid templateColumns="minmax(0, 1fr)" gap="2" css={PALE} data-link={link}>
      <Flex
        align="center"
        wrap="wrap"
        rowGap="2"
        columnGap="3"
        css={{
          "& h1": { fontSize: "heading", fontWeight: "650", lineHeight: "1.3" },
          mdDown: { "& > button": { minH: "12" } },
        }}
      >
        <h1>{t("title")}</h1>
        <Text color="fg.muted" aria-live="off">
          {loading ??
            [shown === total ? t("count", { count: total }) : t("counts", { shown, count: total }), asking]
              .filter(Boolean)
              .join(" · ")}
        </Text>
        <AsOf />
        <SearchBox label={t("search")} text={filter.text} onText={onText} />
        <ChoiceSegments
          label={t("view.label")}
          value={view}
          choices={views.map((value) => ({ value, label: t(`view.${value}`) }))}
          onChoose={onView}
        />
        <Button
          size="sm"
          variant="outline"
          disabled={shown === 0 || file.isPending}
          onClick={() => file.mutate()}
        >
          <DownloadIcon />
          {t("export")}
        </Button>
      </Flex>
      <FilterBar filter={filter} counts={board.counts} translate={translate} onFilter={onFilter} />
      {file.isError && <ErrorNote>{t("exportFailed")}</ErrorNote>}
      {status.state === "refused" && (
        <ErrorNote>
          {t("refused")}. {labels.error(status.code)}
        </ErrorNote>
      )}
      {total === 0 ? (
        status.state === "coming" && <Skeleton height="24rem" />
      ) : shown === 0 ? (
        <Stack gap="3" py="12" px="0" color="fg.muted" align="center" data-testid="none-found">
          <p>{t("nothing")}</p>
          <Button size="sm" variant="outline" onClick={() => onFilter(NO_FILTER)}>
            {t("facet.clear")}
          </Button>
        </Stack>
      ) : view === "map" ? (
        <FleetMap entries={entries} picked={picked} onPick={onPick} />
      ) : (
        <BoardList entries={entries} view={view} onPick={onPick} />
      )}
      {picked !== null && <DeviceSheet key={picked} deviceKey={picked} onClose={() => onPick(null)} />}
    </Grid>
  );
}

/** Show the time of the board's numbers while the links deliver nothing new (ONL-2). */
function AsOf() {
  const { t } = useTranslation("common");
  const { exactTime } = useTimeTexts();
  const away = useLinkQuality() !== "fresh";
  const silentSince = useLink((link) => link.silentSince);
  const heardAt = useLink((link) => link.relay?.heardAt ?? link.relay?.since ?? null);
  const since = silentSince ?? (heardAt === null ? null : Date.parse(heardAt));
  if (!away || since === null) return null;
  return (
    <Flex as="p" align="center" gap="0.35rem" color="fg" fontWeight="semibold" data-testid="as-of">
      <ClockIcon size={16} />
      {t("link.asOf", { time: exactTime(since) })}
    </Flex>
  );
}
