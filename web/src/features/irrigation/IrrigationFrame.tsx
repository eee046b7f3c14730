import { Box, Button, Center, chakra, Flex, Grid, Stack, Text } from "@chakra-ui/react";
import { Settings2Icon } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { useClaim } from "../../api/knowledge.ts";
import { useNewestParams, withParam } from "../../components/address.ts";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import { HIGHLIGHTED } from "../../components/chip.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Select } from "../../components/field.tsx";
import { DropIcon } from "../../components/icons.tsx";
import { WaterGate } from "../../components/scenes/water-gate.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { NO_FARM } from "../../domain/farm/farm-members.ts";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { sameWater } from "../../domain/watering/water-sum.ts";
import { useLinkQuality, useLiveSelection } from "../../live/hooks.ts";
import { useSurface } from "../../theme/use-surface.ts";
import { type DaySum, daySum, seenTodaySince, unconfirmedOf } from "./day-sum.ts";
import { FARM_SORTS, type FarmItem, readSort, sortFarms, waterOfFarm, worstAlarm } from "./farm-list.ts";
import { farmNamePath, farmPath } from "./paths.ts";
import { DaySumLine } from "./TodayCard.tsx";
import { useFarms, useOpenChannels, useWaterings } from "./use-farms.ts";

const CHANNELS = ["channel"] as const;
const ALARMS = ["alarm"] as const;

interface FarmListProps {
  farms: readonly FarmItem[];
  /** The farm that is open beside the list; null for none. */
  chosen: string | null;
  /** Today's waterings of a farm; null while unknown. */
  sumOf: (farmId: string) => DaySum | null;
  /** Since when the waterings of today are known, ms UTC; null where the whole day is (WAT-4). */
  seenSince: number | null;
}

/** List the farms in the selected order, each with its running valves, worst alarm and today's waterings. */
function FarmList({ farms, chosen, sumOf, seenSince }: FarmListProps) {
  const { t } = useTranslation("irrigation");
  const { params, change } = useNewestParams();
  const sort = readSort(params.get("sort"));
  const choose = (value: string) => change((before) => withParam(before, "sort", value), { replace: true });
  return (
    <Box
      as="nav"
      minW="0"
      borderWidth={{ mdDown: "1px" }}
      rounded={{ mdDown: "card" }}
      bg="bg.panel"
      aria-label={t("farms")}
    >
      <Flex
        as="label"
        align="center"
        justify="space-between"
        wrap="wrap"
        gap="3"
        py="1.5"
        ps="card"
        pe="2"
        color="fg.muted"
        fontSize="label"
      >
        <span>{t("sort.label")}</span>
        <Select
          variant="plain"
          w="auto"
          maxW="min(14rem, 100%)"
          value={sort}
          options={FARM_SORTS.map((each) => ({ value: each, label: t(`sort.${each}`) }))}
          onChange={choose}
        />
      </Flex>
      <ul>
        {sortFarms(farms, sort).map((farm) => (
          <FarmRow
            key={farm.id}
            farm={farm}
            chosen={farm.id === chosen}
            sort={params.get("sort")}
            sum={sumOf(farm.id)}
            seenSince={seenSince}
          />
        ))}
      </ul>
    </Box>
  );
}

const ROW = {
  '& a:hover > [data-testid="farm-name"]': { textDecoration: "underline", textUnderlineOffset: "3px" },
  "&[data-chosen]": {
    bg: "bg.sunk",
    boxShadow: "inset 3px 0 0 var(--mk-colors-fg)",
    "@media (forced-colors: active)": { ...HIGHLIGHTED, "& *": { color: "inherit !important" } },
  },
};

interface FarmRowProps {
  farm: FarmItem;
  chosen: boolean;
  sort: string | null;
  sum: DaySum | null;
  seenSince: number | null;
}

const FOCUS = { outlineOffset: "-2px" } as const;
const SUM = { align: "center", gap: "0.35rem", color: "fg.muted", fontSize: "label" } as const;

function FarmRow({ farm, chosen, sort, sum, seenSince }: FarmRowProps) {
  const { t } = useTranslation(["irrigation", "common"]);
  const links = useLinkQuality();
  const water = useLiveSelection(CHANNELS, ({ channels }) => waterOfFarm(farm, channels, links), sameWater);
  const alarm = useLiveSelection(ALARMS, ({ alarms }) => worstAlarm(farm, alarms.values()));
  const valves = farm.units.reduce((count, { channels }) => count + channels.length, 0);
  return (
    <Flex as="li" borderTopWidth="1px" css={ROW} data-chosen={chosen || undefined}>
      <Grid asChild flex="1" gap="0.5" minW="0" py="3" ps="card" color="fg" _focusVisible={FOCUS}>
        <Link
          data-testid="farm-row"
          to={farmPath(farm.id) + (sort === null ? "" : `&sort=${encodeURIComponent(sort)}`)}
          aria-current={chosen ? "page" : undefined}
        >
          <Flex
            as="span"
            align="center"
            gap="2"
            fontWeight="650"
            css={{ "& .alarm-badge": { flex: "none", boxSize: "5" } }}
            data-testid="farm-name"
          >
            {farm.name}
            {alarm !== null && <AlarmBadge priority={alarm} />}
          </Flex>
          {farm.description !== "" && (
            <Text
              as="span"
              truncate
              color="fg.muted"
              fontSize="caption"
              css={{ "@media (max-width: 22rem)": { whiteSpace: "normal" } }}
            >
              {farm.description}
            </Text>
          )}
          <Flex
            as="span"
            {...SUM}
            css={{ "&[data-running]": { color: "flow", fontWeight: "semibold" } }}
            data-running={water.runs > 0 || undefined}
          >
            {water.runs > 0 && <DropIcon />}
            {water.runs > 0
              ? t("runningOf", { count: water.runs, total: valves })
              : valves > 0
                ? t("valves", { count: valves })
                : t("devices", { count: farm.devices.length })}
            {water.ran > 0 && ` · ${t("common:water.unsure", { count: water.ran })}`}
            {water.unknown > 0 && ` · ${t("common:water.unknown", { count: water.unknown })}`}
          </Flex>
          {sum !== null && sum.count > 0 && (
            <Flex as="span" {...SUM}>
              <DaySumLine sum={sum} seenSince={seenSince} />
            </Flex>
          )}
        </Link>
      </Grid>
      {farm.id !== NO_FARM && (
        <Center
          asChild
          flex="none"
          w="3.25rem"
          color="fg.muted"
          _hover={{ color: "fg" }}
          _focusVisible={FOCUS}
        >
          <OwnLink
            to={farmNamePath(farm.id)}
            aria-label={t("rename", { name: farm.name })}
            title={t("renameShort")}
          >
            <Settings2Icon size={20} />
          </OwnLink>
        </Center>
      )}
    </Flex>
  );
}

/** Values shared by the irrigation pages. */
export interface IrrigationValues {
  readonly farms: readonly FarmItem[];
  /** Today's waterings of a farm, or of all farms for null; null while unknown. */
  sumOf(farmId: string | null): DaySum | null;
  /** True until these are known, unless they could not be loaded. */
  readonly isLoading: boolean;
  /** Return a claim about them, or that it is unknown (KNOW-1). */
  readonly claim: (text: string) => string;
  /** Since when the waterings of today are known, ms UTC; null where the whole day is. */
  readonly seenSince: number | null;
  readonly list: ReactNode;
}

interface IrrigationFrameProps {
  /** The farm that is open; null on the list itself. */
  chosen: string | null;
  /** Content right of the list. On a phone it is the page and places `list` itself. */
  children: (values: IrrigationValues) => ReactNode;
}

/** Show the farms on the left and the content on the right; on a phone only one of them. */
export function IrrigationFrame({ chosen, children }: IrrigationFrameProps) {
  const { t } = useTranslation("irrigation");
  const phone = useSurface() === "phone";
  const farms = useFarms();
  const { value, failure } = useWaterings(null, null);
  const claim = useClaim({ data: value, error: failure });
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
  const sumOf = (farmId: string | null): DaySum | null => {
    if (value === null) return null;
    const unconfirmed = unconfirmedOf(value.waterings, (id) => open.get(id) === "runs", farmId);
    return { ...daySum(value.sums, value.today, farmId), unconfirmed };
  };
  const seenSince = value && seenTodaySince(value);
  const list = <FarmList farms={farms} chosen={chosen} {...{ sumOf, seenSince }} />;
  const isLoading = value === null && failure === null;
  const values = { farms, sumOf, isLoading, claim, seenSince, list: phone ? list : null };
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
          layerStyle="panel"
        >
          {list}
        </chakra.aside>
      )}
      <Stack gap="4" minW="0">
        {children(values)}
      </Stack>
    </Grid>
  );
}

/** Placeholder with the layout of the day and the list. */
export function IrrigationLoading() {
  return (
    <Stack gap="4" minW="0">
      <Skeleton height="4rem" />
      <Skeleton height="12rem" />
    </Stack>
  );
}
