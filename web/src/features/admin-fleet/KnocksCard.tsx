import { useTranslation } from "react-i18next";
import { fetchKnocks } from "../../api/admin.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { useIsLive } from "../../live/hooks.ts";
import { MorningCard, MorningLine } from "./MorningCard.tsx";

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
        <MorningLine
          key={`${kind} ${name}`}
          name={name}
          about={
            <>
              {t(`knocks.${kind}`)} · {t("knocks.times", { count })}
            </>
          }
        >
          {dayTime(Date.parse(lastAt))}
        </MorningLine>
      ))}
    </MorningCard>
  );
}
