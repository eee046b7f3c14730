import { Button } from "@chakra-ui/react";
import { CircleAlertIcon, SendIcon, XIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { NoticeStrip } from "../../components/alerts.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import type { OutboxEntry } from "../../domain/valve/outbox-entry.ts";
import { useCommandTexts } from "../../domain/valve/remembered-note.tsx";
import { useIsUnanswered } from "../../domain/valve/unanswered.ts";
import { useEntriesForStrip, useFollowedOutbox, useOutbox } from "../../domain/valve/use-outbox.ts";
import { useLabels } from "../../i18n/labels.ts";

/** Maximum number of strips; the others follow as these are answered or dismissed. */
const SHOWN = 3;

/** Send the stored commands without an answer, and show them on every page with those that were given up. */
export function OutboxStrip() {
  useFollowedOutbox();
  const entries = useEntriesForStrip();
  return entries.slice(0, SHOWN).map((entry) => <EntryStrip key={entry.id} entry={entry} />);
}

function EntryStrip({ entry }: { entry: OutboxEntry }) {
  const { t } = useTranslation("common");
  const labels = useLabels();
  const outbox = useOutbox();
  const isUnanswered = useIsUnanswered(entry);
  const command = useCommandTexts(entry);
  const subject = useSubject(entry);
  const what = [subject, command].filter(Boolean).join(" ");
  if (entry.ended !== undefined) {
    return (
      <NoticeStrip
        icon={<CircleAlertIcon />}
        title={t("outbox.ended", { what })}
        detail={labels.error(entry.ended)}
        actions={
          <IconButton label={t("action.close")} onClick={() => outbox.dismiss(entry.id)}>
            <XIcon />
          </IconButton>
        }
      />
    );
  }
  if (!isUnanswered) return null;
  return (
    <NoticeStrip
      icon={<SendIcon />}
      title={t("outbox.remembered", { what })}
      detail={outbox.isStored(entry.id) ? undefined : t("outbox.notStored")}
      actions={
        <Button size="sm" variant="outline" onClick={() => outbox.takeBack(entry.id)}>
          {t("outbox.takeBack")}
        </Button>
      }
    />
  );
}

/** Return the name of what an entry commands: the valve or the farm; null for the whole account. */
function useSubject(entry: OutboxEntry): string | null {
  const labels = useLabels();
  switch (entry.kind) {
    case "open":
      return labels.channel(entry.number);
    case "close":
    case "mode-off":
      return labels.thing({ name: entry.name ?? "", number: entry.number }).trim();
    case "close-all":
      return entry.farmName;
    case "fleet-close":
      return `${entry.ownerName} ${entry.valve}`;
    case "close-in":
      return entry.name;
  }
}
