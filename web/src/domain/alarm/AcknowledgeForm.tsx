import { Button, chakra } from "@chakra-ui/react";
import { ALARM_TEXT } from "@mulkko/shared/rest/alarm";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "../../components/alerts.tsx";
import { TextField } from "../../components/field.tsx";

export interface AcknowledgeFormProps {
  onSend: (comment: string) => void;
  onCancel: () => void;
  /** True while the request is under way. */
  busy: boolean;
  /** Reason for the refusal, translated; null without one. */
  failure: string | null;
}

/** Acknowledge an alarm with an optional comment for the other users. A comment cannot be added later. */
export function AcknowledgeForm({ onSend, onCancel, busy, failure }: AcknowledgeFormProps) {
  const { t } = useTranslation(["alarms", "common"]);
  const [comment, setComment] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onSend(comment.trim());
  };
  return (
    <chakra.form
      display="grid"
      gap="3.5"
      maxW="32rem"
      mt="1"
      p="3.5"
      borderWidth="1px"
      rounded="card"
      bg="bg.canvas"
      onSubmit={submit}
    >
      <TextField
        label={t("acknowledge.comment")}
        hint={t("acknowledge.hint")}
        name="comment"
        maxLength={ALARM_TEXT}
        value={comment}
        onChange={(event) => setComment(event.target.value)}
        autoFocus
      />
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      <div className="alarm-desk__actions">
        <Button type="submit" size="sm" loading={busy} loadingText={t("sending")}>
          {t("acknowledge.send")}
        </Button>
        <Button size="sm" variant="outline" disabled={busy} onClick={onCancel}>
          {t("common:action.cancel")}
        </Button>
      </div>
    </chakra.form>
  );
}
