import { Button, Center, chakra, Text } from "@chakra-ui/react";
import type { ListedWatering } from "@mulkko/shared/rest/waterings";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { errorReason } from "../../../api/errors.ts";
import { useRest } from "../../../api/hooks.ts";
import { useClaim } from "../../../api/knowledge.ts";
import { fetchWaterings } from "../../../api/waterings.ts";
import { ErrorNote } from "../../../components/alerts.tsx";
import { Card } from "../../../components/card.tsx";
import { Select } from "../../../components/field.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { panelPath } from "../../../domain/farm/device-paths.ts";
import { NO_FARM } from "../../../domain/farm/farm-members.ts";
import { useTimeTexts } from "../../../domain/time/use-time-texts.ts";
import { ThingTitle } from "../../../domain/valve/thing-title.tsx";
import { spanTexts, useWateringTexts } from "../../../domain/watering/watering-texts.ts";
import { useLabels } from "../../../i18n/labels.ts";
import { useServerTime } from "../../../live/hooks.ts";
import { isOnFarm, seenSince } from "../day-sum.ts";
import type { FarmItem } from "../farm-list.ts";
import { useChannelNames, useOpenChannels, useWaterings, wateringsRange } from "../use-farms.ts";

const ALL_CHANNELS = "";

const LINES = {
  "& > li": {
    display: "grid",
    gridTemplateColumns:
      "minmax(10rem, 13rem) minmax(8rem, 1fr) minmax(10rem, 1.4fr) minmax(7rem, auto) minmax( 9rem, auto )",
    rowGap: "0.5",
    columnGap: "4",
    alignItems: "center",
    minH: "12",
    py: "1.5",
    px: "card",
    borderTopWidth: "1px",
  },
  "& > li[data-running]": { bg: "flow.tint" },
  "& > li > small": { color: "fg.muted", fontSize: "label" },
  "& > li > span": { minW: "0" },
  "& > li > b": { fontWeight: "semibold" },
  "& a": { py: "var(--reach)", color: "fg", fontWeight: "semibold" },
  "& a:hover": { textDecoration: "underline", textUnderlineOffset: "3px" },
  "@media (max-width: 1200px)": {
    "& > li": { gridTemplateColumns: "minmax(0, 1fr) auto", py: "2.5" },
    "& > li > small": { gridColumn: "1 / -1" },
    "& > li > span": { gridRow: "1" },
    "& > li > b": { gridRow: "1", gridColumn: "2", textAlign: "end" },
  },
};

/** List the stored waterings of a farm by pages, running ones first, then the newest; of all channels or one. */
export function WateringList({ farm }: { farm: FarmItem }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const labels = useLabels();
  const texts = useTimeTexts();
  const [channel, setChannel] = useState(ALL_CHANNELS);
  const pages = useWateringPages(farm, channel === ALL_CHANNELS ? null : channel);
  const { waterings } = pages;
  const claim = useClaim({ data: waterings, error: pages.failure });
  const open = useOpenChannels();
  return (
    <Card
      title={t("waterings.title")}
      flush
      aside={
        <Select
          w="auto"
          maxW="14rem"
          label={t("waterings.channel")}
          value={channel}
          options={[
            { value: ALL_CHANNELS, label: t("waterings.allChannels") },
            ...farm.units.flatMap((unit) =>
              unit.channels.map(({ id, name, number }) => ({
                value: id,
                label: `${name} ${t("common:valve.channel", { number })}`,
              })),
            ),
          ]}
          onChange={setChannel}
        />
      }
    >
      {pages.failure !== null && (
        <ErrorNote retry={pages.again}>
          {t("waterings.failed")} {labels.error(pages.failure)}
        </ErrorNote>
      )}
      {waterings === null ? (
        pages.failure === null && <Skeleton height="8rem" />
      ) : waterings.length === 0 ? (
        <Text px="card" pb="4" color="fg.muted">
          {pages.seenSince === null
            ? claim(t("waterings.none"))
            : claim(t("waterings.noneSince", { time: texts.dayTime(pages.seenSince) }))}
        </Text>
      ) : (
        <chakra.ul css={LINES} aria-label={t("waterings.title")}>
          {waterings.map((watering) => {
            // A record without an end means running water only while the valve's own report is live.
            const runs = watering.end === null && open.get(watering.channelId) === "runs";
            return (
              <li key={watering.id} data-running={runs || undefined}>
                <WateringLine watering={watering} runs={runs} />
              </li>
            );
          })}
        </chakra.ul>
      )}
      {!pages.more && pages.seenSince !== null && waterings !== null && waterings.length > 0 && (
        <Text px="card" pb="4" color="fg.muted">
          {t("waterings.missing", { time: texts.dayTime(pages.seenSince) })}
        </Text>
      )}
      {pages.more && (
        <Center p="3" borderTopWidth="1px">
          <Button variant="outline" loading={pages.loading} onClick={pages.next}>
            {t("waterings.more")}
          </Button>
        </Center>
      )}
    </Card>
  );
}

function WateringLine({ watering, runs }: { watering: ListedWatering; runs: boolean }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const texts = useTimeTexts();
  const named = useChannelNames().get(watering.channelId);
  const start = Date.parse(watering.start);
  const said = useWateringTexts();
  const litres = said.litres(watering);
  const length = useServerTime((now) => said.length(watering, now));
  const ending = useServerTime((now) => said.ending(watering, now, runs));
  const who = watering.by?.nickname ?? null;
  const cause = t(`common:watering.cause.${watering.cause}`);
  const { moistureBefore: before, moistureAfter: after, end } = watering;
  const span = end === null ? null : spanTexts(start, Date.parse(end), texts, true);
  const time = span === null ? texts.dayTime(start) : `${span.from}–${span.to}`;
  const story = [who === null ? cause : `${cause} (${who})`, ending].filter(Boolean);
  const gone = { name: watering.valveName ?? t("waterings.gone"), number: watering.number };
  return (
    <>
      <small>{time}</small>
      <span>
        {named ? (
          <Link to={panelPath(named.unitId, named.number)}>
            <ThingTitle name={named.name} number={named.number} />
          </Link>
        ) : (
          <ThingTitle {...gone} />
        )}
      </span>
      <small>{story.join(" · ")}</small>
      <b>
        {length}
        {litres !== null && ` · ${litres}`}
      </b>
      <small>
        {before !== null && after !== null
          ? t("waterings.soil", { before: before.toFixed(1), after: after.toFixed(1) })
          : before !== null && t("waterings.soilBefore", { before: before.toFixed(1) })}
      </small>
    </>
  );
}

/** Return the newest page, live, followed by the older ones that the user requested. */
function useWateringPages(farm: FarmItem, channel: string | null) {
  const { client } = useRest();
  // The API cannot select waterings without a farm: load all and filter.
  const asked = farm.id === NO_FARM ? null : farm.id;
  const newest = useWaterings(asked, channel);
  const older = useInfiniteQuery({
    queryKey: ["older waterings", asked, channel],
    // Only the user loads them; a change does not load all of them again.
    enabled: false,
    initialPageParam: newest.value?.next ?? null,
    async queryFn({ pageParam, signal }) {
      const range = { ...(pageParam !== null && { cursor: pageParam }), ...wateringsRange(asked, channel) };
      const { waterings, next } = await fetchWaterings(client, range, signal);
      // Later waterings move these off the newest page.
      return { waterings: [...(newest.value?.waterings ?? []), ...waterings], next };
    },
    getNextPageParam: ({ next }) => next,
  });
  const pages = older.data?.pages ?? [];
  const all = newest.value && mergePages(newest.value.waterings, ...pages.map(({ waterings }) => waterings));
  const next = () => void older.fetchNextPage();
  return {
    /** Null until the first page is loaded. */
    waterings: all && (asked === null ? all.filter(({ farmIds }) => isOnFarm(farmIds, farm.id)) : all),
    /** Since when waterings are known, ms UTC; null if the relay has watched as long as they are kept (WAT-4). */
    seenSince: newest.value && seenSince(newest.value),
    failure: older.error ? errorReason(older.error) : newest.failure,
    more: older.data ? older.hasNextPage : (newest.value?.next ?? null) !== null,
    loading: older.isFetching,
    next,
    again: older.error ? next : newest.again,
  };
}

/**
 * Merge pages into one list: running ones first, then the newest. Of a watering on several pages the first
 * version counts: it was loaded last.
 */
export function mergePages(...pages: readonly (readonly ListedWatering[])[]): ListedWatering[] {
  const byId = new Map<string, ListedWatering>();
  for (const watering of pages.flat()) if (!byId.has(watering.id)) byId.set(watering.id, watering);
  const runs = ({ end }: ListedWatering): number => Number(end === null);
  return [...byId.values()].sort(
    (a, b) => runs(b) - runs(a) || b.start.localeCompare(a.start) || b.id.localeCompare(a.id),
  );
}
