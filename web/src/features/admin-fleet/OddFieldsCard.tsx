import { Stack, Text } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { fetchOddFields } from "../../api/admin.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { useIsLive } from "../../live/hooks.ts";
import { MorningCard } from "./MorningCard.tsx";

const LINES = 6;
const ASK_EVERY_MS = 60_000;
/** Number of ids shown on a line. */
const IDS = 5;

/** List fields that differ from the farm API's contract; nothing if there are none. */
export function OddFieldsCard() {
  const { t } = useTranslation("morning");
  const { dayTime } = useTimeWords();
  const { data } = useRestQuery(["odd-fields"], fetchOddFields, {
    enabled: useIsLive(),
    refetchInterval: ASK_EVERY_MS,
  });
  const odd = data?.odd ?? [];
  if (odd.length === 0) return null;
  const hidden = odd.length - LINES;
  return (
    <MorningCard
      title={t("odd.title")}
      count={odd.length}
      none=""
      empty={false}
      note={t("odd.about")}
      rest={hidden > 0 ? t("odd.rest", { count: hidden }) : null}
    >
      {odd.slice(0, LINES).map(({ unit, field, rows, count, lastAt }) => (
        <li key={`${unit} ${field}`} className="morning-line" data-testid="morning-line">
          <Stack as="span" flex="1" minW="0" gap="0">
            <span className="morning-line__name">
              {unit}: {field === "" ? t("odd.row") : field}
            </span>
            <Text
              as="span"
              overflow="hidden"
              textOverflow="ellipsis"
              whiteSpace="nowrap"
              color="fg.muted"
              fontSize="caption"
            >
              {rows.length > 0 && `${t("odd.devices", { ids: rows.slice(0, IDS).join(", ") })} · `}
              {t("odd.times", { count })}
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
