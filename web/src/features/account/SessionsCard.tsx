import { Button, chakra, Text } from "@chakra-ui/react";
import type { SessionEntry } from "@mulkko/shared/rest/account";
import { zoneNamed } from "@mulkko/shared/rules/calendar";
import { newestTime } from "@mulkko/shared/rules/zoneless-time";
import { useTranslation } from "react-i18next";
import { endSession, fetchSessions, SESSIONS } from "../../api/account.ts";
import { errorReason } from "../../api/errors.ts";
import { useApiZone, useExtensionAnswer } from "../../api/extensions.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { Card } from "../../components/card.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { deviceName } from "../../domain/account/signed-in-device.ts";
import { DeletionQuestion, useDeletion } from "../../domain/form/deletion-question.tsx";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useServerNow } from "../../live/hooks.ts";

/** Height reserved for the list: three lines. */
const ROOM = "12rem";

/** List the account's sessions and let the user end them; hidden if the farm API does not report sessions. */
export function SessionsCard() {
  const { t } = useTranslation("account");
  const labels = useLabels();
  const isOffered = useExtensionAnswer("sessions");
  const {
    data: sessions,
    error,
    refetch,
  } = useRestQuery(SESSIONS, fetchSessions, { enabled: isOffered === true });
  const ending = useDeletion<SessionEntry>({
    remove: (rest, { id }, over) => endSession(rest, id, over),
    removed: () => void refetch(),
  });
  const times = useTimeTexts();
  const nameOf = ({ userAgent }: SessionEntry) => deviceName(userAgent) || t("sessions.unknown");
  // Times of activity are omitted while the API's time zone is unknown.
  const zone = useApiZone();
  const apiTime = zone === null ? null : zoneNamed(zone);
  const serverNow = useServerNow();
  if (isOffered === false) return null;
  return (
    <Card title={t("sessions.title")}>
      {sessions === null && error === null && <Skeleton height={ROOM} />}
      {error !== null && (
        <ErrorNote retry={() => void refetch()}>{labels.error(errorReason(error))}</ErrorNote>
      )}
      {error === null && sessions !== null && (
        <chakra.ul
          maxH="24rem"
          position="relative"
          overflowY="auto"
          css={{
            "& > li": {
              display: "flex",
              alignItems: "center",
              justifyContent: "space-between",
              gap: "3",
              minH: "16",
              py: "2",
            },
            "& > li + li": { borderTopWidth: "1px" },
            "& > li > div": { display: "grid" },
          }}
          aria-label={t("sessions.title")}
        >
          {sessions.map((session) => {
            const used = apiTime && newestTime(session.usedDate, apiTime, { now: serverNow() });
            return (
              <li key={session.id}>
                <div>
                  <strong>{nameOf(session)}</strong>
                  {used !== null && (
                    <Text as="span" color="fg.muted" fontSize="label" data-testid="session-used">
                      {t("sessions.used", { time: times.dayTime(used) })}
                    </Text>
                  )}
                </div>
                {session.current ? (
                  <Text as="span" color="fg.muted" fontSize="label" whiteSpace="nowrap">
                    {t("sessions.current")}
                  </Text>
                ) : (
                  <Button
                    size="sm"
                    variant="outline"
                    aria-label={t("sessions.endNamed", { device: nameOf(session) })}
                    onClick={() => ending.ask(session)}
                  >
                    {t("sessions.end")}
                  </Button>
                )}
              </li>
            );
          })}
        </chakra.ul>
      )}
      <DeletionQuestion
        deletion={ending}
        title={t("sessions.confirm.title")}
        confirmLabel={t("sessions.end")}
      >
        <p>{t("sessions.confirm.text", { device: ending.thing ? nameOf(ending.thing) : "" })}</p>
      </DeletionQuestion>
    </Card>
  );
}
