import { Button, Text } from "@chakra-ui/react";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { ALARM_TEXT, SNOOZE_AT_MOST_MS } from "@mulkko/shared/rest/alarm";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { channelIdOf } from "@mulkko/shared/rules/device-keys";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { acknowledgeAlarm, closeIn, endSnooze, snoozeAlarm } from "../../api/alarms.ts";
import { errorCode } from "../../api/errors.ts";
import { useReadOnly, useRest } from "../../api/hooks.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { ChoiceSegments } from "../../components/choice.tsx";
import { TextField } from "../../components/field.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useLive, useServerNow } from "../../live/hooks.ts";
import { useTimeWords } from "../time/use-time-words.ts";
import { useLastReport, useNearTime } from "../valve/last-report.ts";
import { valveWords } from "../valve/valve-words.ts";
import { AlarmForm, type AlarmFormProps } from "./AlarmForm.tsx";
import { ActionRow, AlarmDesk } from "./alarm-desk.tsx";
import { alarmDetail, type DetailTexts } from "./alarm-detail.ts";
import { useOpenValves } from "./open-valves.ts";
import { fieldTime, type SnoozeEndName, snoozeEnds, snoozeFault } from "./snooze-end.ts";

/** Minutes granted by one click to a valve that was opened at the controller (RUN-3). */
export const CLOSE_IN_MINUTES = 10;

/** Show the details of an alarm and the actions for it: acknowledge, snooze, close. */
export function AlarmActions({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation(["alarms", "common"]);
  const labels = useLabels();
  const words = useTimeWords();
  const { client } = useRest();
  const readOnly = useReadOnly();
  const actions = useAlarmAction(alarm);
  const [asking, setAsking] = useState<"acknowledge" | "putOff" | null>(null);
  const { ack, snooze, active, priority, type } = alarm;

  const channel = useLive("channel", channelIdOf(alarm.key));
  const report = useLastReport(channel);
  const time = useNearTime(words);
  const openValves = useOpenValves(alarm, words);
  const common = useTranslation("common").t;
  const commanded: DetailTexts["commanded"] = (target) => {
    const actual = channel?.onoff === 1 ? "open" : channel?.onoff === 2 ? "closed" : null;
    if (actual === null) return null;
    return valveWords(common, { kind: "mismatch", live: false, actual, commanded: target }, report.time);
  };
  const details = alarmDetail(alarm, { t, time, error: labels.error, commanded, openValves });
  /** Keep what was typed until the relay accepts it. */
  const send = (action: AlarmActionName, call: () => Promise<void>) =>
    actions.run(action, call, () => setAsking(null));
  const failureIn = (action: AlarmActionName) => {
    const code = actions.failureOf(action);
    return code === null ? null : labels.error(code);
  };
  const failure = failureIn("close") ?? failureIn("wake");
  const mayClose = type === "external-open" && active && !isDone("close", alarm);
  const mayPutOff = active && priority !== 1 && snooze === null;
  const button = (
    action: AlarmActionName,
    label: string,
    variant: "solid" | "outline",
    onClick: () => void,
  ) => (
    <Button
      size="sm"
      variant={variant}
      loading={actions.sending === action}
      loadingText={t("sending")}
      disabled={actions.sending !== null}
      onClick={onClick}
    >
      {label}
    </Button>
  );

  return (
    <AlarmDesk>
      {details.map((detail) => (
        <Said key={detail}>{detail}</Said>
      ))}
      {ack && (
        <Said>
          {t("seen", { by: ack.by.nickname, time: words.dayTime(Date.parse(ack.at)) })}
          {ack.comment !== null && <q>{ack.comment}</q>}
        </Said>
      )}
      {snooze && (
        <Said>
          {t("putOffFor")} <q>{snooze.reason}</q>
        </Said>
      )}
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      {readOnly && <Said>{t("readOnly")}</Said>}
      {asking === null && !readOnly && (
        <ActionRow>
          {mayClose &&
            button("close", t("closeIn", { count: CLOSE_IN_MINUTES }), "solid", () =>
              actions.run("close", () => closeIn(client, alarm.id, CLOSE_IN_MINUTES)),
            )}
          {ack === null &&
            button("acknowledge", t("acknowledge.open"), mayClose ? "outline" : "solid", () =>
              setAsking("acknowledge"),
            )}
          {mayPutOff && button("putOff", t("putOff.open"), "outline", () => setAsking("putOff"))}
          {snooze &&
            button("wake", t("wake"), "outline", () =>
              actions.run("wake", () => endSnooze(client, alarm.id)),
            )}
        </ActionRow>
      )}
      {asking === "acknowledge" && (
        <AcknowledgeForm
          busy={actions.sending === "acknowledge"}
          failure={failureIn("acknowledge")}
          onCancel={() => setAsking(null)}
          onSend={(comment) => send("acknowledge", () => acknowledgeAlarm(client, alarm.id, comment))}
        />
      )}
      {asking === "putOff" && (
        <SnoozeForm
          busy={actions.sending === "putOff"}
          failure={failureIn("putOff")}
          onCancel={() => setAsking(null)}
          onSend={(until, reason) => send("putOff", () => snoozeAlarm(client, alarm.id, until, reason))}
        />
      )}
    </AlarmDesk>
  );
}

/** A line about an alarm. */
function Said({ children }: { children: ReactNode }) {
  return (
    <Text color="fg.muted" fontSize="label">
      {children}
    </Text>
  );
}

/** Action on an alarm. `close` gives an opening made at the controller an end (RUN-3). */
type AlarmActionName = "acknowledge" | "putOff" | "wake" | "close";

/** Return true once the alarm itself shows the action. The interface shows no action as done before that. */
function isDone(action: AlarmActionName, { ack, snooze, detail }: Alarm): boolean {
  switch (action) {
    case "acknowledge":
      return ack !== null;
    case "putOff":
      return snooze !== null;
    case "wake":
      return snooze === null;
    case "close":
      return typeof detail?.closesAt === "string";
  }
}

interface AlarmActionsState {
  /** Action that was sent and does not show on the alarm yet. */
  readonly sending: AlarmActionName | null;
  /** Return the error code of this action if the last attempt was refused. */
  failureOf(action: AlarmActionName): string | null;
  /** @param onTaken called once the relay has accepted the action: the form can be cleared */
  run(action: AlarmActionName, call: () => Promise<void>, onTaken?: () => void): void;
}

/** Run one action at a time on one alarm. It ends when the live stream delivers the updated alarm. */
function useAlarmAction(alarm: Alarm): AlarmActionsState {
  const [last, setLast] = useState<{ action: AlarmActionName; failure: string | null } | null>(null);
  const sending = last !== null && last.failure === null && !isDone(last.action, alarm) ? last.action : null;
  return {
    sending,
    failureOf: (action) => (last?.action === action ? last.failure : null),
    run(action, call, onTaken) {
      setLast({ action, failure: null });
      call().then(onTaken, (error: unknown) => setLast({ action, failure: errorCode(error) }));
    },
  };
}

interface AcknowledgeFormProps extends AlarmFormProps {
  onSend: (comment: string) => void;
}

/** Acknowledge an alarm with an optional comment for the other users. A comment cannot be added later. */
function AcknowledgeForm({ onSend, ...form }: AcknowledgeFormProps) {
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

interface SnoozeFormProps extends AlarmFormProps {
  /** @param until ms since 1970 UTC */
  onSend: (until: number, reason: string) => void;
}

/** Snooze an alarm. Reason and end are required (ALM-3). */
function SnoozeForm({ onSend, ...form }: SnoozeFormProps) {
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
