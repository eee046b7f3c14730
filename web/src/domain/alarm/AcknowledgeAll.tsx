import { Button } from "@chakra-ui/react";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { acknowledgeAlarm } from "../../api/alarms.ts";
import { errorCode } from "../../api/errors.ts";
import { useReadOnly, useRest } from "../../api/hooks.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { useLabels } from "../../i18n/labels.ts";

interface AcknowledgeAllProps {
  alarms: readonly Alarm[];
  variant?: "solid" | "outline";
}

/** Acknowledge these alarms without a comment; nothing if all are acknowledged or another's farm is read. */
export function AcknowledgeAll({ alarms, variant = "solid" }: AcknowledgeAllProps) {
  const { t } = useTranslation("alarms");
  const { error } = useLabels();
  const { client } = useRest();
  const readOnly = useReadOnly();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
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
  if (readOnly || (unseen.length === 0 && failure === null)) return null;
  return (
    <>
      {failure !== null && <ErrorNote>{error(failure)}</ErrorNote>}
      <Button
        size="sm"
        variant={variant}
        loading={busy}
        loadingText={t("sending")}
        onClick={() => void acknowledgeAll()}
      >
        {t("acknowledge.all", { count: unseen.length })}
      </Button>
    </>
  );
}
