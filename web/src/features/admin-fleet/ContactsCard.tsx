import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { useTranslation } from "react-i18next";
import { fetchNewestContacts } from "../../api/contact.ts";
import { useApiZone } from "../../api/extensions.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { Card } from "../../components/card.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { useErrorWords } from "../../components/use-error-words.ts";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { useIsLive } from "../../live/hooks.ts";
import { MorningCard, MorningLine } from "./MorningCard.tsx";

const LINES = 4;
/** Polling interval, ms; messages are rare. */
const ASK_EVERY_MS = 60_000;
/** Time zone of an API that has not reported its own yet. */
const API_ZONE = "Asia/Seoul";

/** List the newest messages of the contact form. */
export function ContactsCard() {
  const { t } = useTranslation("morning");
  const errorWords = useErrorWords();
  const { dayTime } = useTimeWords();
  const zone = createApiTimeZone(useApiZone() ?? API_ZONE);
  const { data, error } = useRestQuery(
    ["contacts", "newest"],
    (rest, signal) => fetchNewestContacts(rest, LINES, signal),
    { enabled: useIsLive(), refetchInterval: ASK_EVERY_MS },
  );
  const title = t("contacts.title");
  // Messages that are shown stay while the API does not answer.
  if (data === null) {
    return (
      <Card title={title}>
        {error === null ? <Skeleton height="5rem" /> : <ErrorNote>{errorWords(error)}</ErrorNote>}
      </Card>
    );
  }
  const { content: newest, totalElements: total } = data;
  const when = (text: string) => {
    const instant = zone.toInstant(text);
    return instant === null ? text : dayTime(instant);
  };
  return (
    <MorningCard
      title={title}
      count={total}
      none={t("contacts.none")}
      empty={newest.length === 0}
      all={newest.length > 0 ? { to: "/adminpage/contacts", label: t("contacts.all") } : undefined}
    >
      {newest.map(({ id, createdDate, username, title: about, message }) => (
        <MorningLine
          key={id}
          name={about || message}
          about={[username, about ? message : ""].filter(Boolean).join(" · ")}
        >
          {when(createdDate)}
        </MorningLine>
      ))}
    </MorningCard>
  );
}
