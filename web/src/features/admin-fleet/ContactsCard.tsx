import { Stack, Text } from "@chakra-ui/react";
import type { ContactEntry } from "@mulkko/shared/rest/admin";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { useEffect, useState } from "react";
import { ErrorNote } from "../../components/alerts.tsx";
import { Card } from "../../components/card.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { useFailureWords } from "../../components/use-error-words.ts";
import { useTimeWords } from "../../farm/use-time-words.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useIsLive } from "../../live/hooks.ts";
import { fetchNewestContacts } from "../../rest/contact.ts";
import { type CallFailure, callFailure } from "../../rest/errors.ts";
import { useApiZone } from "../../rest/extensions.ts";
import { useRest } from "../../rest/hooks.ts";
import { MorningCard } from "./MorningCard.tsx";

const LINES = 4;
/** Polling interval, ms; messages are rare. */
const ASK_EVERY_MS = 60_000;
/** Time zone of an API that has not reported its own yet. */
const API_ZONE = "Asia/Seoul";

type Contacts =
  | { state: "coming" }
  | { state: "here"; newest: readonly ContactEntry[]; total: number }
  | ({ state: "failed" } & CallFailure);

/** Return the newest messages, loaded again every minute while the page is live. */
function useNewestContacts(): Contacts {
  const { client } = useRest();
  const live = useIsLive();
  const [contacts, setContacts] = useState<Contacts>({ state: "coming" });
  useEffect(() => {
    if (!live) return;
    const abort = new AbortController();
    const ask = async () => {
      try {
        const { content, totalElements } = await fetchNewestContacts(client, LINES, abort.signal);
        setContacts({ state: "here", newest: content, total: totalElements });
      } catch (error) {
        if (abort.signal.aborted) return;
        // Keep the current messages; the next interval tries again.
        setContacts((before) =>
          before.state === "here" ? before : { state: "failed", ...callFailure(error) },
        );
      }
    };
    void ask();
    const timer = setInterval(() => void ask(), ASK_EVERY_MS);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [client, live]);
  return contacts;
}

/** List the newest messages of the contact form. */
export function ContactsCard() {
  const { t } = useTranslation("morning");
  const failureWords = useFailureWords();
  const { dayTime } = useTimeWords();
  const zone = createApiTimeZone(useApiZone() ?? API_ZONE);
  const contacts = useNewestContacts();
  const title = t("contacts.title");
  if (contacts.state === "coming") {
    return (
      <Card title={title}>
        <Skeleton height="5rem" />
      </Card>
    );
  }
  if (contacts.state === "failed") {
    return (
      <Card title={title}>
        <ErrorNote>{failureWords(contacts)}</ErrorNote>
      </Card>
    );
  }
  const { newest, total } = contacts;
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
        <li key={id} className="morning-line" data-testid="morning-line">
          <Stack as="span" flex="1" minW="0" gap="0">
            <span className="morning-line__name">{about || message}</span>
            <Text
              as="span"
              overflow="hidden"
              textOverflow="ellipsis"
              whiteSpace="nowrap"
              color="fg.muted"
              fontSize="caption"
            >
              {[username, about ? message : ""].filter(Boolean).join(" · ")}
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
            {when(createdDate)}
          </Stack>
        </li>
      ))}
    </MorningCard>
  );
}
