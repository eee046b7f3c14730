import { Box, Center, Flex, Grid, Text } from "@chakra-ui/react";
import { Settings2Icon } from "lucide-react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import { HIGHLIGHTED } from "../../components/chip.tsx";
import { Select } from "../../components/field.tsx";
import { DropIcon } from "../../components/icons.tsx";
import { NO_FARM } from "../../domain/farm/farm-members.ts";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { sameWater } from "../../domain/watering/water-sum.ts";
import { type LiveFarm, useLinkQuality, useLiveSelection } from "../../live/hooks.ts";
import { DaySumLine } from "./DaySumLine.tsx";
import type { DaySum } from "./day-sum.ts";
import { FARM_SORTS, type FarmItem, readSort, sortFarms, waterOfFarm, worstAlarm } from "./farm-list.ts";
import { farmNamePath, farmPath } from "./paths.ts";

const CHANNELS = ["channel"] as const;
const ALARMS = ["alarm"] as const;

export interface FarmListProps {
  farms: readonly FarmItem[];
  /** The farm that is open beside the list; null for none. */
  chosen: string | null;
  /** Today's waterings of a farm; null while unknown. */
  sumOf: (farmId: string) => DaySum | null;
  /** False if waterings of today may be missing (WAT-4). */
  wholeDay: boolean;
}

/** The farms in the order that a person chose: what runs on each, what is wrong, and what it got today. */
export function FarmList({ farms, chosen, sumOf, wholeDay }: FarmListProps) {
  const { t } = useTranslation("irrigation");
  const [params, setParams] = useSearchParams();
  const sort = readSort(params.get("sort"));
  const choose = (value: string) => {
    const next = new URLSearchParams(params);
    next.set("sort", value);
    setParams(next, { replace: true });
  };
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
          <Flex
            as="li"
            key={farm.id}
            borderTopWidth="1px"
            css={ROW}
            data-chosen={farm.id === chosen || undefined}
          >
            <FarmRow
              farm={farm}
              chosen={farm.id === chosen}
              sort={params.get("sort")}
              sum={sumOf(farm.id)}
              wholeDay={wholeDay}
            />
          </Flex>
        ))}
      </ul>
    </Box>
  );
}

const ROW = {
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
  wholeDay: boolean;
}

const SUM = { align: "center", gap: "0.35rem", color: "fg.muted", fontSize: "label" } as const;

function FarmRow({ farm, chosen, sort, sum, wholeDay }: FarmRowProps) {
  const { t } = useTranslation(["irrigation", "common"]);
  const links = useLinkQuality();
  const water = useLiveSelection(
    CHANNELS,
    useCallback((live: LiveFarm) => waterOfFarm(farm, live.channels, links), [farm, links]),
    sameWater,
  );
  const alarm = useLiveSelection(
    ALARMS,
    useCallback((live: LiveFarm) => worstAlarm(farm, live.alarms.values()), [farm]),
  );
  const valves = farm.units.reduce((count, { channels }) => count + channels.length, 0);
  return (
    <>
      <Grid
        asChild
        flex="1"
        gap="0.5"
        minW="0"
        py="3"
        ps="card"
        color="fg"
        _hover={{
          '& [data-testid="farm-name"]': { textDecoration: "underline", textUnderlineOffset: "3px" },
        }}
        _focusVisible={{ outlineOffset: "-2px" }}
      >
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
              <DaySumLine sum={sum} whole={wholeDay} />
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
          _focusVisible={{ outlineOffset: "-2px" }}
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
    </>
  );
}
