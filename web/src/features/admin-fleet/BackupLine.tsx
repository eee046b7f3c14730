import { Text } from "@chakra-ui/react";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { useTranslation } from "react-i18next";
import { fetchBackupState } from "../../api/admin.ts";
import { useApiZone, useExtension } from "../../api/extensions.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useIsLive, useServerNow } from "../../live/hooks.ts";

/** Polling interval, ms; backups run once a day. */
const ASK_EVERY_MS = 10 * 60_000;
/** Time zone of an API that has not reported its own yet. */
const API_ZONE = "Asia/Seoul";

/** Show the newest backup in one line, as an error if it is too old. */
export function BackupLine() {
  const { t } = useTranslation("morning");
  const labels = useLabels();
  const { dayTime } = useTimeWords();
  const now = useServerNow();
  const zone = createApiTimeZone(useApiZone() ?? API_ZONE);
  const live = useIsLive();
  const offers = useExtension("backups");
  // The last state stays if the farm API does not answer: the header shows the outage.
  const { data: state } = useRestQuery(["backups"], fetchBackupState, {
    enabled: live && offers,
    refetchInterval: ASK_EVERY_MS,
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
