import { ALARM_TEXT } from "@mulkko/shared/rest/alarm";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "../../components/field.tsx";
import { AlarmForm, type AlarmFormProps } from "./AlarmForm.tsx";

interface AcknowledgeFormProps extends AlarmFormProps {
  onSend: (comment: string) => void;
}

/** Acknowledge an alarm with an optional comment for the other users. A comment cannot be added later. */
export function AcknowledgeForm({ onSend, ...form }: AcknowledgeFormProps) {
  const { t } = useTranslation("alarms");
  const [comment, setComment] = useState("");
  return (
    <AlarmForm {...form} send={t("acknowledge.send")} onSubmit={() => onSend(comment.trim())}>
      <TextField
        label={t("acknowledge.comment")}
        hint={t("acknowledge.hint")}
        name="comment"
        maxLength={ALARM_TEXT}
        value={comment}
        onChange={(event) => setComment(event.target.value)}
        autoFocus
      />
    </AlarmForm>
  );
}
