import { Button, chakra, Flex } from "@chakra-ui/react";
import { ALARM_TEXT, SNOOZE_AT_MOST_MS } from "@mulkko/shared/rest/alarm";
import { timeOnDate, zoneNamed } from "@mulkko/shared/rules/calendar";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "../../components/alerts.tsx";
import { ChoiceSegments } from "../../components/choice.tsx";
import { DayTimeField } from "../../components/date-field.tsx";
import { TextField } from "../../components/field.tsx";
import { useServerNow } from "../../live/hooks.ts";
import { useTimeTexts } from "../time/use-time-texts.ts";
import { fieldTime, type SnoozeEndName, snoozeEnds, snoozeFault } from "./snooze-end.ts";

/** Properties of every form of an alarm. */
interface AlarmFormProps {
  onCancel: () => void;
  /** True while the request is under way. */
  busy: boolean;
  /** Reason for the refusal, translated; null without one. */
  failure: string | null;
}

/** Form that sends these values. */
type SentFormProps<Values extends unknown[]> = AlarmFormProps & { onSend: (...values: Values) => void };

interface FrameProps extends AlarmFormProps {
  /** Label of the button that sends. */
  send: string;
  onSubmit: () => void;
  children: ReactNode;
}

/** Frame of a form below an alarm: its fields, the reason for a refusal, send and cancel. */
function AlarmForm({ send, onSubmit, onCancel, busy, failure, children }: FrameProps) {
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
      <Flex wrap="wrap" gap="2" mt="1">
        <Button type="submit" size="sm" loading={busy} loadingText={t("sending")}>
          {send}
        </Button>
        <Button size="sm" variant="outline" disabled={busy} onClick={onCancel}>
          {t("common:action.cancel")}
        </Button>
      </Flex>
    </chakra.form>
  );
}

/** Acknowledge an alarm with an optional comment for the other users. A comment cannot be added later. */
export function AcknowledgeForm({ onSend, ...form }: SentFormProps<[comment: string]>) {
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

/** Snooze an alarm until an instant, ms since 1970 UTC. Reason and end are required (ALM-3). */
export function SnoozeForm({ onSend, ...form }: SentFormProps<[until: number, reason: string]>) {
  const { t } = useTranslation("alarms");
  const texts = useTimeTexts();
  const now = useServerNow();
  const [began] = useState(now);
  const zone = zoneNamed(texts.zone);
  const ends = snoozeEnds(began, zone);
  const [chosen, setChosen] = useState<SnoozeEndName>("hour");
  const [own, setOwn] = useState("");
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);

  const listed = ends.find(({ name }) => name === chosen);
  const until = listed ? listed.at : timeOnDate(own.slice(0, 10), own.slice(11), zone);
  const fault = snoozeFault(began, until);
  const submit = () => {
    setTried(true);
    if (until === null || fault !== null || reason.trim() === "") return;
    onSend(until, reason.trim());
  };
  return (
    <AlarmForm {...form} send={t("putOff.send")} onSubmit={submit}>
      <TextField
        label={t("putOff.reason")}
        name="reason"
        required
        maxLength={ALARM_TEXT}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={tried && reason.trim() === "" ? t("putOff.reasonRequired") : undefined}
        autoFocus
      />
      <ChoiceSegments
        labelled
        label={t("putOff.until")}
        value={chosen}
        choices={[
          ...ends.map(({ name, at }) => ({
            value: name,
            label: t(`putOff.end.${name}`, { time: texts.time(at) }),
          })),
          { value: "own", label: t("putOff.end.own") },
        ]}
        onChoose={setChosen}
      />
      {chosen === "own" && (
        <DayTimeField
          label={t("putOff.own")}
          hint={t("putOff.atMost")}
          error={tried && fault !== null ? t(`putOff.fault.${fault}`) : undefined}
          name="until"
          value={own}
          min={fieldTime(zone, began)}
          max={fieldTime(zone, began + SNOOZE_AT_MOST_MS)}
          onChange={setOwn}
        />
      )}
    </AlarmForm>
  );
}
