import { useTranslation } from "react-i18next";
import { fetchOddFields } from "../../api/admin.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { useIsLive } from "../../live/hooks.ts";
import { MorningCard, MorningLine } from "./MorningCard.tsx";

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
        <MorningLine
          key={`${unit} ${field}`}
          name={
            <>
              {unit}: {field === "" ? t("odd.row") : field}
            </>
          }
          about={
            <>
              {rows.length > 0 && `${t("odd.devices", { ids: rows.slice(0, IDS).join(", ") })} · `}
              {t("odd.times", { count })}
            </>
          }
        >
          {dayTime(Date.parse(lastAt))}
        </MorningLine>
      ))}
    </MorningCard>
  );
}
