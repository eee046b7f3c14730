import { ALARM_TEXT, SNOOZE_AT_MOST_MS } from "@mulkko/shared/rest/alarm";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ChoiceSegments } from "../../components/choice.tsx";
import { TextField } from "../../components/field.tsx";
import { useServerNow } from "../../live/hooks.ts";
import { useTimeWords } from "../time/use-time-words.ts";
import { AlarmForm, type AlarmFormProps } from "./AlarmForm.tsx";
import { fieldTime, type SnoozeEndName, snoozeEnds, snoozeFault } from "./snooze-end.ts";

interface SnoozeFormProps extends AlarmFormProps {
  /** @param until ms since 1970 UTC */
  onSend: (until: number, reason: string) => void;
}

/** Snooze an alarm. Reason and end are required (ALM-3). */
export function SnoozeForm({ onSend, ...form }: SnoozeFormProps) {
  const { t } = useTranslation("alarms");
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
  const submit = () => {
    setTried(true);
    if (until === null || fault !== null || reason.trim() === "") return;
    onSend(until, reason.trim());
  };
  const timeOf = (name: SnoozeEndName): string => {
    const end = ends.find((each) => each.name === name);
    return end === undefined ? "" : words.time(end.at);
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
    </AlarmForm>
  );
}
