import { Button } from "@chakra-ui/react";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { acknowledgeAlarm } from "../../api/alarms.ts";
import { errorCode } from "../../api/errors.ts";
import { useReadOnly, useRest } from "../../api/hooks.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { useLabels } from "../../i18n/labels.ts";
import "./alarm-actions.css";

export interface GroupActionsProps {
  alarms: readonly Alarm[];
  /** Render one alarm. */
  lineOf: (alarm: Alarm) => ReactNode;
}

/** List the alarms of one cause in a flood, with one button that acknowledges all of them. */
export function GroupActions({ alarms, lineOf }: GroupActionsProps) {
  const { t } = useTranslation("alarms");
  const { error } = useLabels();
  const { client } = useRest();
  const readOnly = useReadOnly();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const unseen = alarms.filter(({ ack }) => ack === null);

  const acknowledgeAll = async () => {
    setBusy(true);
    setFailure(null);
    try {
      // One after another: a flood of alarms must not cause a flood of calls.
      for (const { id } of unseen) await acknowledgeAlarm(client, id, "");
    } catch (problem) {
      setFailure(errorCode(problem));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="alarm-desk" data-testid="alarm-actions">
      {failure !== null && <ErrorNote>{error(failure)}</ErrorNote>}
      <div className="alarm-desk__actions">
        {unseen.length > 0 && !readOnly && (
          <Button size="sm" loading={busy} loadingText={t("sending")} onClick={() => void acknowledgeAll()}>
            {t("acknowledge.all", { count: unseen.length })}
          </Button>
        )}
        <Button size="sm" variant="outline" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? "fold" : "unfold")}
        </Button>
      </div>
      {open && (
        <ul className="alarm-list alarm-list--inner">
          {alarms.map((alarm) => (
            <li key={alarm.id}>{lineOf(alarm)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
