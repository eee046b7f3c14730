import { Text } from "@chakra-ui/react";
import { relayPath } from "@mulkko/shared/rest/routes";
import { RelayStorage, type StorageState } from "@mulkko/shared/rest/storage";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { useTranslation } from "react-i18next";
import { fetchBackupState } from "../../api/admin.ts";
import type { RestClient } from "../../api/client.ts";
import { useApiZone, useExtension } from "../../api/extensions.ts";
import { useLastAnswer, useRestQuery } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { DEFAULT_ZONE, useTimeWords } from "../../domain/time/use-time-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useIsLive, useLink, useServerNow } from "../../live/hooks.ts";

/** Polling interval while the page is live, ms. */
const ASK_EVERY_MS = 60_000;
/** Days before a disk is full at which the note appears. */
const SAID_FROM_DAYS = 14;
const GIGABYTE = 1e9;

const fetchStorage = (rest: RestClient, signal: AbortSignal) =>
  rest.call({ method: "GET", path: relayPath.storage, answer: RelayStorage, signal });

/** Report on storing readings and free space; null until it is known or if the server does not report it. */
function useStorage(): StorageState | null {
  // The report is loaded again when storing starts or stops.
  const fault = useLink((link) => link.relay?.notStoring?.fault ?? null);
  const { data } = useRestQuery(["storage", fault], fetchStorage, {
    enabled: useIsLive(),
    refetchInterval: ASK_EVERY_MS,
  });
  // The last report stays without an answer: the link state shows the failure.
  return useLastAnswer(data)?.storage ?? null;
}

/** Show that readings are not stored, or that the disk will soon be full. */
export function StorageNote() {
  const { t } = useTranslation(["common", "morning"]);
  const { dayTime } = useTimeWords();
  const disk = useStorage()?.disk ?? null;
  const trouble = useLink((link) => link.relay?.notStoring ?? null);
  const room = disk && t("morning:storage.free", { free: (disk.freeBytes / GIGABYTE).toFixed(1) });
  if (trouble !== null) {
    return (
      <ErrorNote>
        <strong>{t("notStoring.title")}</strong>. {t(`notStoring.${trouble.fault}`)}.{" "}
        {t("morning:storage.since", { time: dayTime(Date.parse(trouble.since)) })}
        {room && ` · ${room}`}
      </ErrorNote>
    );
  }
  if (disk === null || disk.daysLeft === null || disk.daysLeft > SAID_FROM_DAYS) return null;
  return (
    <ErrorNote>
      <strong>{t("morning:storage.fillsIn", { count: Math.max(1, Math.floor(disk.daysLeft)) })}</strong> ·{" "}
      {room}
    </ErrorNote>
  );
}

/** Polling interval, ms; backups run once a day. */
const ASK_BACKUP_EVERY_MS = 10 * 60_000;

/** Show the newest backup in one line, as an error if it is too old. */
export function BackupLine() {
  const { t } = useTranslation("morning");
  const labels = useLabels();
  const { dayTime } = useTimeWords();
  const now = useServerNow();
  const zone = createApiTimeZone(useApiZone() ?? DEFAULT_ZONE);
  const live = useIsLive();
  const offers = useExtension("backups");
  // The last state stays if the farm API does not answer: the header shows the outage.
  const { data: state } = useRestQuery(["backups"], fetchBackupState, {
    enabled: live && offers,
    refetchInterval: ASK_BACKUP_EVERY_MS,
  });
  if (state === null || state.kept === "off") return null;
  const { kept, newestDate, overdue } = state;
  const at = newestDate === null ? null : zone.toInstant(newestDate);
  const last = at === null ? null : t("backup.last", { time: dayTime(at), ago: labels.age(now() - at) });
  if (!overdue)
    return (
      <Text mb="3" color="fg.muted" fontSize="label">
        {last ?? t("backup.none")}
      </Text>
    );
  const sentences = [t("backup.overdue"), ...(last === null ? [] : [last]), t(`backup.${kept}`)];
  return <ErrorNote>{sentences.join(" ")}</ErrorNote>;
}
