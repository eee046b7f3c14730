import { Button } from "@chakra-ui/react";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { useMutation } from "@tanstack/react-query";
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
  const labels = useLabels();
  const { client } = useRest();
  const readOnly = useReadOnly();
  const unseen = alarms.filter(({ ack }) => ack === null);

  const { mutate, isPending, error } = useMutation({
    async mutationFn() {
      // One after another: a flood of alarms must not cause a flood of calls.
      for (const { id } of unseen) await acknowledgeAlarm(client, id, "");
    },
  });
  if (readOnly || (unseen.length === 0 && error === null)) return null;
  return (
    <>
      {error && <ErrorNote>{labels.error(errorCode(error))}</ErrorNote>}
      <Button
        size="sm"
        variant={variant}
        loading={isPending}
        loadingText={t("sending")}
        onClick={() => mutate()}
      >
        {t("acknowledge.all", { count: unseen.length })}
      </Button>
    </>
  );
}
