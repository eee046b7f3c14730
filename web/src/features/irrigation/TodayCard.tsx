import { chakra, Flex, Text } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../components/skeleton.tsx";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { DaySumLine } from "./DaySumLine.tsx";
import type { DaySum } from "./day-sum.ts";

export interface TodayCardProps {
  /** null while unknown. */
  sum: DaySum | null;
  /** True if it is still being loaded: its place is held. */
  isLoading: boolean;
  /** Since when the waterings of today are known, ms UTC; null where the whole day is (WAT-4). */
  seenSince: number | null;
  /** Leads to where a flow meter is linked; left out where none can be. */
  onLink?: (() => void) | undefined;
}

/** Show today's waterings of a farm in one line, and what that line cannot know. */
export function TodayCard({ sum, isLoading, seenSince, onLink }: TodayCardProps) {
  const { t } = useTranslation("irrigation");
  const words = useTimeWords();
  if (sum === null) return isLoading && <Skeleton height="5rem" />;
  const none = seenSince === null ? t("today.none") : t("today.noneSince", { time: words.time(seenSince) });
  return (
    <Flex
      wrap="wrap"
      align="center"
      rowGap="0.5"
      columnGap="4"
      minH="12"
      py="2"
      px="card"
      borderWidth="1px"
      rounded="card"
      bg="bg.panel"
      data-running={sum.running > 0 || undefined}
    >
      <Text fontSize="title" fontWeight="semibold" data-testid="sum-of-day">
        {sum.count === 0 ? none : <DaySumLine sum={sum} whole={seenSince === null} />}
      </Text>
      {sum.count > 0 && seenSince !== null && (
        <Flex as="p" wrap="wrap" align="center" rowGap="0" columnGap="2" color="fg.muted" fontSize="label">
          {t("today.missing", { time: words.time(seenSince) })}
        </Flex>
      )}
      {sum.unconfirmed > 0 && (
        <Flex as="p" wrap="wrap" align="center" rowGap="0" columnGap="2" color="fg.muted" fontSize="label">
          {t("today.unconfirmed", { count: sum.unconfirmed })}
        </Flex>
      )}
      {sum.count > 0 && sum.unmeasured > 0 && (
        <Flex as="p" wrap="wrap" align="center" rowGap="0" columnGap="2" color="fg.muted" fontSize="label">
          {sum.litres === null ? t("today.noMeter") : t("today.unmeasured", { count: sum.unmeasured })}
          {onLink && (
            <chakra.button
              type="button"
              minH="12"
              px="2"
              color="fg"
              textDecoration="underline"
              textUnderlineOffset="3px"
              cursor="pointer"
              onClick={onLink}
            >
              {t("today.link")}
            </chakra.button>
          )}
        </Flex>
      )}
    </Flex>
  );
}
