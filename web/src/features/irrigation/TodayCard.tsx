import { chakra, Flex, Text } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../components/skeleton.tsx";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useLabels } from "../../i18n/labels.ts";
import type { DaySum } from "./day-sum.ts";

interface TodayCardProps {
  /** null while unknown. */
  sum: DaySum | null;
  /** True while loading: a placeholder keeps the space. */
  isLoading: boolean;
  /** Return a claim about the sum, or that it is unknown (KNOW-1). */
  claim: (text: string) => string;
  /** Since when the waterings of today are known, ms UTC; null where the whole day is (WAT-4). */
  seenSince: number | null;
  /** Open the settings that link a flow meter; omitted if none can be linked. */
  onLink?: (() => void) | undefined;
}

const NOTE = {
  as: "p",
  wrap: "wrap",
  align: "center",
  columnGap: "2",
  color: "fg.muted",
  fontSize: "label",
} as const;

/** Show today's waterings of a farm in one line, and what that line cannot know. */
export function TodayCard({ sum, isLoading, claim, seenSince, onLink }: TodayCardProps) {
  const { t } = useTranslation("irrigation");
  const texts = useTimeTexts();
  if (sum === null) return isLoading && <Skeleton height="5rem" />;
  const none = seenSince === null ? t("today.none") : t("today.noneSince", { time: texts.time(seenSince) });
  return (
    <Flex
      wrap="wrap"
      align="center"
      rowGap="0.5"
      columnGap="4"
      minH="12"
      py="2"
      px="card"
      layerStyle="panel"
      data-running={sum.running > 0 || undefined}
    >
      <Text fontSize="title" fontWeight="semibold" data-testid="sum-of-day">
        {sum.count === 0 ? claim(none) : <DaySumLine {...{ sum, seenSince }} />}
      </Text>
      {sum.unconfirmed > 0 && <Flex {...NOTE}>{t("today.unconfirmed", { count: sum.unconfirmed })}</Flex>}
      {/* Where a meter can be linked; litres of a part of the waterings are called measured anyway. */}
      {onLink && sum.count > 0 && sum.unmeasured > 0 && (
        <Flex {...NOTE}>
          {t("today.unmeasured", { count: sum.unmeasured })}
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
        </Flex>
      )}
    </Flex>
  );
}

/**
 * Show today's waterings of a farm: count, duration and litres. Say since when a sum counts that does not cover
 * the whole day, and mark one with an unconfirmed watering, and litres that do not cover all waterings.
 */
export function DaySumLine({ sum, seenSince }: Pick<TodayCardProps, "seenSince"> & { sum: DaySum }) {
  const { t } = useTranslation("irrigation");
  const labels = useLabels();
  const texts = useTimeTexts();
  const litres = sum.litres === null ? null : labels.litres(sum.litres);
  const parts = [
    t("today.times", { count: sum.count }),
    labels.duration(sum.seconds * 1_000),
    ...(litres === null ? [] : [sum.unmeasured > 0 ? t("today.measured", { litres }) : litres]),
  ];
  const known = { parts: parts.join(" · ") };
  if (sum.unconfirmed > 0) return <>{t("today.known", known)}</>;
  if (seenSince === null) return <>{t("today.sum", known)}</>;
  return <>{t("today.since", { ...known, time: texts.time(seenSince) })}</>;
}
