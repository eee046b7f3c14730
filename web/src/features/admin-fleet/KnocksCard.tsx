import { Stack, Text } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { fetchKnocks } from "../../api/admin.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { useIsLive } from "../../live/hooks.ts";
import { MorningCard } from "./MorningCard.tsx";

const LINES = 6;
const ASK_EVERY_MS = 60_000;

/**
 * List unregistered devices that send messages: a mistyped serial, or a LoRaWAN device without its DevEUI.
 */
export function KnocksCard() {
  const { t } = useTranslation("morning");
  const { dayTime } = useTimeWords();
  const { data: knocks } = useRestQuery(["knocks"], fetchKnocks, {
    enabled: useIsLive(),
    refetchInterval: ASK_EVERY_MS,
  });
  if (knocks === null) return null;
  const hidden = knocks.length - LINES;
  return (
    <MorningCard
      title={t("knocks.title")}
      count={knocks.length}
      none={t("knocks.none")}
      empty={knocks.length === 0}
      rest={hidden > 0 ? t("knocks.rest", { count: hidden }) : null}
    >
      {knocks.slice(0, LINES).map(({ kind, name, count, lastAt }) => (
        <li key={`${kind} ${name}`} className="morning-line" data-testid="morning-line">
          <Stack as="span" flex="1" minW="0" gap="0">
            <span className="morning-line__name">{name}</span>
            <Text
              as="span"
              overflow="hidden"
              textOverflow="ellipsis"
              whiteSpace="nowrap"
              color="fg.muted"
              fontSize="caption"
            >
              {t(`knocks.${kind}`)} · {t("knocks.times", { count })}
            </Text>
          </Stack>
          <Stack
            as="span"
            color="fg.muted"
            fontSize="caption"
            flex="none"
            textAlign="end"
            align="end"
            gap="0"
            css={{ "& strong": { color: "fg", fontSize: "label", fontWeight: "650" } }}
          >
            {dayTime(Date.parse(lastAt))}
          </Stack>
        </li>
      ))}
    </MorningCard>
  );
}
