import { Button, chakra } from "@chakra-ui/react";
import { ALARM_TEXT, SNOOZE_AT_MOST_MS } from "@mulkko/shared/rest/alarm";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { type FormEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNote } from "../../components/alerts.tsx";
import { ChoiceSegments } from "../../components/choice.tsx";
import { TextField } from "../../components/field.tsx";
import { useServerNow } from "../../live/hooks.ts";
import { useTimeWords } from "../time/use-time-words.ts";
import { fieldTime, type SnoozeEndName, snoozeEnds, snoozeFault } from "./snooze-end.ts";

export interface SnoozeFormProps {
  /** @param until ms since 1970 UTC */
  onSend: (until: number, reason: string) => void;
  onCancel: () => void;
  /** True while the request is under way. */
  busy: boolean;
  /** Reason for the refusal, translated; null without one. */
  failure: string | null;
}

/** Snooze an alarm. Reason and end are required (ALM-3). */
export function SnoozeForm({ onSend, onCancel, busy, failure }: SnoozeFormProps) {
  const { t } = useTranslation(["alarms", "common"]);
  const words = useTimeWords();
  const now = useServerNow();
  const [began] = useState(now);
  const zone = useMemo(() => createApiTimeZone(words.zone), [words.zone]);
  const ends = snoozeEnds(began, zone);
  const [chosen, setChosen] = useState<SnoozeEndName>("hour");
  const [own, setOwn] = useState("");
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);

  const listed = ends.find(({ name }) => name === chosen);
  const until = listed ? listed.at : zone.toInstant(own);
  const fault = snoozeFault(began, until);
  const choices: readonly SnoozeEndName[] = [...ends.map(({ name }) => name), "own"];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (busy || until === null || fault !== null || reason.trim() === "") return;
    onSend(until, reason.trim());
  };
  const timeOf = (name: SnoozeEndName): string => {
    const end = ends.find((each) => each.name === name);
    return end === undefined ? "" : words.time(end.at);
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
        choices={choices.map((name) => ({
          value: name,
          label: t(`putOff.end.${name}`, { time: timeOf(name) }),
        }))}
        onChoose={setChosen}
      />
      {chosen === "own" && (
        <TextField
          label={t("putOff.own")}
          hint={t("putOff.atMost")}
          error={tried && fault !== null ? t(`putOff.fault.${fault}`) : undefined}
          name="until"
          type="datetime-local"
          value={own}
          min={fieldTime(zone, began)}
          max={fieldTime(zone, began + SNOOZE_AT_MOST_MS)}
          onChange={(event) => setOwn(event.target.value)}
        />
      )}
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      <div className="alarm-desk__actions">
        <Button type="submit" size="sm" loading={busy} loadingText={t("sending")}>
          {t("putOff.send")}
        </Button>
        <Button size="sm" variant="outline" disabled={busy} onClick={onCancel}>
          {t("common:action.cancel")}
        </Button>
      </div>
    </chakra.form>
  );
}
