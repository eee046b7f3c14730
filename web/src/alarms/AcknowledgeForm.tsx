import { Button } from "@chakra-ui/react";
import { ALARM_TEXT } from "@mulkko/shared/rest/alarm";
import { type FormEvent, useState } from "react";
import { TextField } from "../components/field.tsx";
import { useTranslation } from "../i18n/use-translation.ts";
import { ErrorNote } from "../ui/feedback/error-note.tsx";

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
    <form className="alarm-desk__form" onSubmit={submit}>
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
    </form>
  );
}
