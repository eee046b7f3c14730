import { zoneNamed } from "@mulkko/shared/rules/calendar";
import { newestTime } from "@mulkko/shared/rules/zoneless-time";
import { useTranslation } from "react-i18next";
import { fetchKnocks, fetchOddFields } from "../../api/admin.ts";
import { fetchNewestContacts } from "../../api/contact.ts";
import { useErrorTexts } from "../../api/error-texts.ts";
import { useApiZone } from "../../api/extensions.ts";
import { useClaim } from "../../api/knowledge.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { Card } from "../../components/card.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { DEFAULT_ZONE, useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useIsLive, useServerNow } from "../../live/hooks.ts";
import { MorningCard, MorningLine } from "./MorningCard.tsx";

const LINES = 6;
/** Polling interval, ms. */
const ASK_EVERY_MS = 60_000;

/**
 * List unregistered devices that send messages: a mistyped serial, or a LoRaWAN device without its DevEUI.
 */
export function KnocksCard() {
  const { t } = useTranslation("morning");
  const { dayTime } = useTimeTexts();
  const { data: knocks, error } = useRestQuery(["knocks"], fetchKnocks, {
    enabled: useIsLive(),
    refetchInterval: ASK_EVERY_MS,
  });
  const claim = useClaim({ data: knocks, error });
  if (knocks === null) return null;
  const hidden = knocks.length - LINES;
  return (
    <MorningCard
      title={t("knocks.title")}
      count={knocks.length}
      none={claim(t("knocks.none"))}
      rest={hidden > 0 ? t("knocks.rest", { count: hidden }) : null}
    >
      {knocks.slice(0, LINES).map(({ kind, name, count, lastAt }) => (
        <MorningLine
          key={`${kind} ${name}`}
          name={name}
          about={`${t(`knocks.${kind}`)} · ${t("knocks.times", { count })}`}
        >
          {dayTime(Date.parse(lastAt))}
        </MorningLine>
      ))}
    </MorningCard>
  );
}

/** Number of ids shown on a line. */
const IDS = 5;

/** List fields that differ from the farm API's contract; nothing if there are none. */
export function OddFieldsCard() {
  const { t } = useTranslation("morning");
  const { dayTime } = useTimeTexts();
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
      note={t("odd.about")}
      rest={hidden > 0 ? t("odd.rest", { count: hidden }) : null}
    >
      {odd.slice(0, LINES).map(({ unit, field, rows, count, lastAt }) => (
        <MorningLine
          key={`${unit} ${field}`}
          name={`${unit}: ${field === "" ? t("odd.row") : field}`}
          about={[
            rows.length > 0 && t("odd.devices", { ids: rows.slice(0, IDS).join(", ") }),
            t("odd.times", { count }),
          ]
            .filter(Boolean)
            .join(" · ")}
        >
          {dayTime(Date.parse(lastAt))}
        </MorningLine>
      ))}
    </MorningCard>
  );
}

const CONTACT_LINES = 4;

/** List the newest messages of the contact form. */
export function ContactsCard() {
  const { t } = useTranslation("morning");
  const errorTexts = useErrorTexts();
  const { dayTime } = useTimeTexts();
  const zone = zoneNamed(useApiZone() ?? DEFAULT_ZONE);
  const serverNow = useServerNow();
  const { data, error } = useRestQuery(
    ["contacts", "newest"],
    (rest, signal) => fetchNewestContacts(rest, CONTACT_LINES, signal),
    { enabled: useIsLive(), refetchInterval: ASK_EVERY_MS },
  );
  const claim = useClaim({ data, error });
  const title = t("contacts.title");
  // Messages that are shown stay while the API does not answer.
  if (data === null) {
    return (
      <Card title={title}>
        {error === null ? <Skeleton height="5rem" /> : <ErrorNote>{errorTexts(error)}</ErrorNote>}
      </Card>
    );
  }
  const { content: newest, totalElements: total } = data;
  const when = (text: string) => {
    const instant = newestTime(text, zone, { now: serverNow() });
    return instant === null ? text : dayTime(instant);
  };
  return (
    <MorningCard
      title={title}
      count={total}
      none={claim(t("contacts.none"))}
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
