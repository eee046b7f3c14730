import { Button, chakra, Grid, Stack } from "@chakra-ui/react";
import type { Waterings } from "@mulkko/shared/rest/waterings";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/empty-state.tsx";
import { WaterGate } from "../../components/scenes/water-gate.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { NO_FARM } from "../../domain/farm/farm-members.ts";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { useSurface } from "../../theme/use-surface.ts";
import { type DaySum, daySum, seenTodaySince, unconfirmedOf } from "./day-sum.ts";
import { FarmList } from "./FarmList.tsx";
import type { FarmItem } from "./farm-list.ts";
import { useFarms } from "./use-farms.ts";
import { useOpenChannels } from "./use-open-channels.ts";
import { useWaterings } from "./use-water.ts";

/** Values shared by the irrigation pages. */
export interface IrrigationParts {
  readonly farms: readonly FarmItem[];
  /** Today's waterings of a farm, or of all farms for null; null while unknown. */
  sumOf(farmId: string | null): DaySum | null;
  /** True until these are known, unless they could not be loaded. */
  readonly isLoading: boolean;
  /** Since when the waterings of today are known, ms UTC; null where the whole day is. */
  readonly seenSince: number | null;
  readonly list: ReactNode;
}

export interface IrrigationFrameProps {
  /** The farm that is open; null on the list itself. */
  chosen: string | null;
  /** The page right of the list; on a phone it is the page, and takes the list in where it wants it. */
  children: (parts: IrrigationParts) => ReactNode;
}

function sumIn(
  answer: Waterings | null,
  farmId: string | null,
  runs: (channelId: string) => boolean,
): DaySum | null {
  if (answer === null) return null;
  const { sums, today, waterings } = answer;
  const farm = farmId === null ? undefined : farmId === NO_FARM ? null : farmId;
  return { ...daySum(sums, today, farm), unconfirmed: unconfirmedOf(waterings, runs, farm) };
}

/** The farms left, and what is looked at right of them. A phone has one of them at a time. */
export function IrrigationFrame({ chosen, children }: IrrigationFrameProps) {
  const { t } = useTranslation("irrigation");
  const phone = useSurface() === "phone";
  const farms = useFarms();
  const waterings = useWaterings(null, null);
  const open = useOpenChannels();
  if (farms.length === 0) {
    return (
      <UntilKnown loading={<IrrigationLoading />}>
        <EmptyState
          scene={<WaterGate />}
          title={t("empty")}
          action={
            <Button asChild variant="outline">
              <OwnLink to="/farmadd">{t("addFarm")}</OwnLink>
            </Button>
          }
        >
          {t("emptyHint")}
        </EmptyState>
      </UntilKnown>
    );
  }
  const sumOf = (farmId: string | null) => sumIn(waterings.value, farmId, (id) => open.get(id) === "runs");
  const seenSince = waterings.value && seenTodaySince(waterings.value);
  const list = <FarmList farms={farms} chosen={chosen} sumOf={sumOf} wholeDay={seenSince === null} />;
  const isLoading = waterings.value === null && waterings.failure === null;
  const parts = { farms, sumOf, isLoading, seenSince, list: phone ? list : null };
  return (
    <Grid
      templateColumns={{
        base: "minmax(0, 1fr)",
        md: "16rem minmax(0, 1fr)",
        xl: "minmax(17rem, 22rem) minmax(0, 1fr)",
      }}
      gap={{ base: "4", xl: "6" }}
      alignItems="start"
    >
      {!phone && (
        <chakra.aside
          position="sticky"
          top="calc(var(--frame-top) + var(--menu-bar) + 5.5rem)"
          maxH="calc(100dvh - var(--frame-top) - var(--menu-bar) - 7rem)"
          overflowY="auto"
          borderWidth="1px"
          rounded="card"
          bg="bg.panel"
        >
          {list}
        </chakra.aside>
      )}
      <Stack gap="4" minW="0">
        {children(parts)}
      </Stack>
    </Grid>
  );
}

/** Holds the places of the day and the list. */
export function IrrigationLoading() {
  return (
    <Stack gap="4" minW="0">
      <Skeleton height="4rem" />
      <Skeleton height="12rem" />
    </Stack>
  );
}
