import { Button, chakra } from "@chakra-ui/react";
import type { FormEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "../../components/alerts.tsx";
import { ActionRow } from "./alarm-desk.tsx";

/** Properties of every form of an alarm. */
export interface AlarmFormProps {
  onCancel: () => void;
  /** True while the request is under way. */
  busy: boolean;
  /** Reason for the refusal, translated; null without one. */
  failure: string | null;
}

interface FrameProps extends AlarmFormProps {
  /** Label of the button that sends. */
  send: string;
  onSubmit: () => void;
  children: ReactNode;
}

/** Frame of a form below an alarm: its fields, the reason for a refusal, send and cancel. */
export function AlarmForm({ send, onSubmit, onCancel, busy, failure, children }: FrameProps) {
  const { t } = useTranslation(["alarms", "common"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onSubmit();
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
      noValidate
    >
      {children}
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      <ActionRow>
        <Button type="submit" size="sm" loading={busy} loadingText={t("sending")}>
          {send}
        </Button>
        <Button size="sm" variant="outline" disabled={busy} onClick={onCancel}>
          {t("common:action.cancel")}
        </Button>
      </ActionRow>
    </chakra.form>
  );
}
