import { Button } from "@chakra-ui/react";
import type { SessionEntry } from "@mulkko/shared/rest/account";
import { type ApiTimeZone, createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { useEffect, useMemo, useState } from "react";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { signedInDevice } from "../../farm/signed-in-device.ts";
import { useTimeWords } from "../../farm/use-time-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { endSession, fetchSessions } from "../../rest/account.ts";
import { errorReason } from "../../rest/error-reason.ts";
import { useApiZone, useExtensionAnswer } from "../../rest/extensions.ts";
import { useRest } from "../../rest/hooks.ts";
import { useEnding } from "../../rest/use-ending.ts";
import { ErrorNote } from "../../ui/feedback/error-note.tsx";
import { Skeleton } from "../../ui/feedback/skeleton.tsx";
import { Card } from "../../ui/layout/card.tsx";

type Loaded =
  | { state: "loading" }
  | { state: "there"; sessions: readonly SessionEntry[] }
  | { state: "failed"; reason: string };

/** Height reserved for the list: three lines. */
const ROOM = "12rem";

interface SessionsCardProps {
  /** Number of password changes on this page: each ends other sessions, and the list is loaded again. */
  changes: number;
}

/** List the account's sessions and let the user end them; hidden if the farm API does not report sessions. */
export function SessionsCard({ changes }: SessionsCardProps) {
  const { t } = useTranslation("account");
  const isOffered = useExtensionAnswer("sessions");
  if (isOffered === false) return null;
  if (isOffered) return <Sessions changes={changes} />;
  return (
    <Card title={t("sessions.title")}>
      <Skeleton height={ROOM} />
    </Card>
  );
}

function Sessions({ changes }: SessionsCardProps) {
  const { t } = useTranslation(["account", "common"]);
  const labels = useLabels();
  const { client } = useRest();
  const [loaded, setLoaded] = useState<Loaded>({ state: "loading" });
  const [asked, setAsked] = useState(0);
  const ending = useEnding(
    (session: SessionEntry) => endSession(client, session.id),
    () => setAsked((count) => count + 1),
  );
  const nameOf = useDeviceName();
  const zone = useApiZone();
  const apiTime = useMemo(() => (zone === null ? null : createApiTimeZone(zone)), [zone]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `asked` or `changes` loads again
  useEffect(() => {
    const abort = new AbortController();
    fetchSessions(client, abort.signal).then(
      (sessions) => setLoaded({ state: "there", sessions }),
      (error: unknown) => {
        if (!abort.signal.aborted) setLoaded({ state: "failed", reason: errorReason(error) });
      },
    );
    return () => abort.abort();
  }, [client, asked, changes]);

  return (
    <Card title={t("sessions.title")}>
      {loaded.state === "loading" && <Skeleton height={ROOM} />}
      {loaded.state === "failed" && (
        <ErrorNote
          action={
            <Button size="sm" variant="outline" onClick={() => setAsked((count) => count + 1)}>
              {t("common:action.retry")}
            </Button>
          }
        >
          {labels.error(loaded.reason)}
        </ErrorNote>
      )}
      {loaded.state === "there" && (
        <ul className="account__sessions" aria-label={t("sessions.title")}>
          {loaded.sessions.map((session) => (
            <SessionLine
              key={session.id}
              session={session}
              apiTime={apiTime}
              onEnd={() => ending.ask(session)}
            />
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={ending.thing !== null}
        title={t("sessions.confirm.title")}
        body={<p>{t("sessions.confirm.text", { device: ending.thing ? nameOf(ending.thing) : "" })}</p>}
        confirmLabel={t("sessions.end")}
        danger
        busy={ending.busy}
        error={ending.failure === null ? null : labels.error(ending.failure)}
        onConfirm={ending.confirm}
        onClose={ending.cancel}
      />
    </Card>
  );
}

/** Return the display name of a session's device. */
function useDeviceName(): (session: SessionEntry) => string {
  const { t } = useTranslation("account");
  return ({ userAgent }) => {
    const { browser, system } = signedInDevice(userAgent);
    return [browser, system].filter((word) => word !== null).join(" · ") || t("sessions.unknown");
  };
}

interface SessionLineProps {
  session: SessionEntry;
  /** Null if the API's time zone is unknown; times of activity are then omitted. */
  apiTime: ApiTimeZone | null;
  onEnd: () => void;
}

function SessionLine({ session, apiTime, onEnd }: SessionLineProps) {
  const { t } = useTranslation("account");
  const times = useTimeWords();
  const nameOf = useDeviceName();
  const used = apiTime?.toInstant(session.usedDate) ?? null;
  return (
    <li>
      <div>
        <strong>{nameOf(session)}</strong>
        {used !== null && (
          <span className="account__note" data-testid="session-used">
            {t("sessions.used", { time: times.dayTime(used) })}
          </span>
        )}
      </div>
      {session.current ? (
        <span className="account__here">{t("sessions.current")}</span>
      ) : (
        <Button
          size="sm"
          variant="outline"
          aria-label={t("sessions.endNamed", { device: nameOf(session) })}
          onClick={onEnd}
        >
          {t("sessions.end")}
        </Button>
      )}
    </li>
  );
}
