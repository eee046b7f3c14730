import { Box, chakra, Flex, Text } from "@chakra-ui/react";
import type { PlannedWatering, WateringPreview } from "@mulkko/shared/rest/waterings";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useClaim } from "../../api/knowledge.ts";
import type { Refreshed } from "../../api/use-refreshed.ts";
import { Card } from "../../components/card.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useIsStale, useServerTime } from "../../live/hooks.ts";
import { AllLink } from "./AllLink.tsx";
import type { ValveNow } from "./valve-now.ts";

/** Maximum number of coming waterings; the others are on the irrigation page. */
export const NEXT_AT_MOST = 5;

/** Part of the next 24 hours that the dashboard shows. */
interface NextWaterings {
  /** Earliest first, without running ones. */
  readonly coming: readonly PlannedWatering[];
  /** Number of others. */
  readonly more: number;
  /** Channels that water when the soil is dry, at an unknown time. */
  readonly byMoisture: number;
  /** Channels whose active mode cannot run, or not at a known time. */
  readonly unclear: number;
  /** Channels whose modes are not reported. */
  readonly unread: number;
}

export function nextWaterings({ planned, untimed, unread }: WateringPreview): NextWaterings {
  const coming = planned
    .filter(({ kind }) => kind !== "running")
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.number - b.number));
  const byMoisture = untimed.filter(({ reason }) => reason === "by-moisture").length;
  return {
    coming: coming.slice(0, NEXT_AT_MOST),
    more: Math.max(0, coming.length - NEXT_AT_MOST),
    byMoisture,
    unclear: untimed.length - byMoisture,
    unread: unread.length,
  };
}

export interface NextCardProps {
  valves: readonly ValveNow[];
  preview: Refreshed<WateringPreview>;
}

/** List the waterings of the next 24 hours: those by the clock, and the valves that wait for dry soil. */
export function NextCard({ valves, preview: { value, failure } }: NextCardProps) {
  const { t } = useTranslation("dashboard");
  // Offline, a plan that was never loaded stays unknown.
  const stale = useIsStale();
  const claim = useClaim({ data: value, error: failure });
  return (
    <Card title={t("next.title")} aside={<AllLink to="/irrigation" />}>
      {value !== null ? (
        <NextList {...nextWaterings(value)} valves={valves} none={claim(t("next.none"))} />
      ) : stale || failure !== null ? (
        <Note>{t(stale ? "next.unknown" : "next.failed")}</Note>
      ) : (
        <Skeleton height="5rem" />
      )}
    </Card>
  );
}

type NextListProps = ReturnType<typeof nextWaterings> & { valves: readonly ValveNow[]; none: string };

function NextList({ coming, more, byMoisture, unclear, unread, valves, none }: NextListProps) {
  const { t } = useTranslation(["dashboard", "common"]);
  const labels = useLabels();
  const texts = useTimeTexts();
  const today = useServerTime((now) => texts.isoDay(now));
  const when = (instant: string) => {
    const at = Date.parse(instant);
    const time = texts.time(at);
    return texts.isoDay(at) === today ? time : t("next.tomorrow", { time });
  };
  const nameOf = (channelId: string) =>
    valves.find(({ channel }) => channel.id === channelId)?.channel.name ?? null;
  return (
    <>
      {coming.length === 0 && unread === 0 && <Note>{none}</Note>}
      <chakra.ol divideY="1px">
        {coming.map(({ id, channelId, number, kind, start, end }) => (
          <Flex as="li" key={id} wrap="wrap" columnGap="3" py="2">
            <Text as="span" minW="4.5em" fontWeight="semibold">
              {when(start)}
            </Text>
            <Box flex="1" minW="8em">
              <ThingTitle name={nameOf(channelId)} number={number} />
              <Text as="span" display="block" textStyle="label" color="fg.muted">
                {kind !== "running" && t(`common:mode.${kind}`)}
                {end !== null &&
                  ` · ${labels.duration(Math.max(60_000, Date.parse(end) - Date.parse(start)))}`}
              </Text>
            </Box>
          </Flex>
        ))}
      </chakra.ol>
      {more > 0 && <Note>{t("next.more", { count: more })}</Note>}
      {byMoisture > 0 && <Note>{t("next.byMoisture", { count: byMoisture })}</Note>}
      {unclear > 0 && <Note>{t("next.unclear", { count: unclear })}</Note>}
      {unread > 0 && <Note>{t("next.unread", { count: unread })}</Note>}
    </>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <Text textStyle="label" color="fg.muted" _notFirst={{ pt: "2" }}>
      {children}
    </Text>
  );
}
