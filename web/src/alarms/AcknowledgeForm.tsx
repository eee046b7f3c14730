import { Button } from "@chakra-ui/react";
import { ALARM_TEXT } from "@mulkko/shared/rest/alarm";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "../ui/form/text-field.tsx";

export interface AcknowledgeFormProps {
  onSend: (comment: string) => void;
  onCancel: () => void;
}

/** Says that somebody has seen it; a word for the others may be added, as nobody can add one later. */
export function AcknowledgeForm({ onSend, onCancel }: AcknowledgeFormProps) {
  const { t } = useTranslation(["alarms", "common"]);
  const [comment, setComment] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSend(comment.trim());
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
      <div className="alarm-desk__actions">
        <Button type="submit" size="sm">
          {t("acknowledge.send")}
        </Button>
        <Button size="sm" variant="outline" onClick={onCancel}>
          {t("common:action.cancel")}
        </Button>
      </div>
    </form>
  );
}
