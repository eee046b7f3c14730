import { Button, Flex, Grid } from "@chakra-ui/react";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { channelIdOf } from "@mulkko/shared/rules/device-keys";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { acknowledgeAlarm, endSnooze, snoozeAlarm } from "../../api/alarms.ts";
import { useWriteFailureTexts } from "../../api/error-texts.ts";
import { callFailure } from "../../api/errors.ts";
import { useReadOnly, useRest } from "../../api/hooks.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useLive } from "../../live/hooks.ts";
import { useTimeTexts } from "../time/use-time-texts.ts";
import { useLastReport, useNearTime } from "../valve/last-report.ts";
import { RememberedNote } from "../valve/remembered-note.tsx";
import { useStoredCommands } from "../valve/stored-commands.ts";
import { useOutbox, useShownOnPage } from "../valve/use-outbox.ts";
import { valveTexts } from "../valve/valve-texts.ts";
import { AcknowledgeForm, SnoozeForm } from "./AlarmForms.tsx";
import { AlarmNote } from "./AlarmNote.tsx";
import { alarmDetail, type DetailTexts } from "./alarm-detail.ts";
import { useOpenValves } from "./open-valves.ts";

/** Minutes granted by one click to a valve that was opened at the controller (RUN-3). */
export const CLOSE_IN_MINUTES = 10;

/**
 * Actions on an alarm: true once the alarm itself shows the action. The interface shows no action as done before that.
 */
const IS_DONE = {
  acknowledge: ({ ack }: Alarm) => ack !== null,
  putOff: ({ snooze }: Alarm) => snooze !== null,
  wake: ({ snooze }: Alarm) => snooze === null,
} as const;
type AlarmActionName = keyof typeof IS_DONE;

/** Show the details of an alarm and the actions for it: acknowledge, snooze, close. */
export function AlarmActions({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation(["alarms", "common"]);
  const labels = useLabels();
  const failureTexts = useWriteFailureTexts();
  const texts = useTimeTexts();
  const { client } = useRest();
  const readOnly = useReadOnly();
  const outbox = useOutbox();
  const closing = useStoredCommands(
    (entries) =>
      entries.find(
        (entry) => entry.kind === "close-in" && entry.alarmId === alarm.id && entry.ended === undefined,
      ) ?? null,
  );
  useShownOnPage(closing === null ? [] : [closing.id]);
  /** The result of the press: taken, or the code of a refusal. The live stream delivers the updated alarm. */
  const [closeResult, setCloseResult] = useState<"taken" | { refused: string } | null>(null);
  const { mutate, variables, error, reset } = useMutation({
    mutationFn: ({ call }: { action: AlarmActionName; call: () => Promise<void> }) => call(),
  });
  const [asking, setAsking] = useState<"acknowledge" | "putOff" | null>(null);
  const { ack, snooze, active, priority, type } = alarm;

  const channel = useLive("channel", channelIdOf(alarm.key));
  const report = useLastReport(channel);
  const time = useNearTime(texts);
  const openValves = useOpenValves(alarm, texts);
  const common = useTranslation("common").t;
  const commanded: DetailTexts["commanded"] = (target) => {
    const actual = channel?.onoff === 1 ? "open" : channel?.onoff === 2 ? "closed" : null;
    if (actual === null) return null;
    return valveTexts(common, { kind: "mismatch", live: false, actual, commanded: target }, report.time);
  };
  const details = alarmDetail(alarm, { t, time, error: labels.error, commanded, openValves });
  /** Action that was sent and does not show on the alarm yet: the live stream delivers the updated alarm. */
  const sent = variables && !error ? variables.action : null;
  const done = sent !== null && IS_DONE[sent](alarm);
  const sending = done ? null : sent;
  // A later end of a snooze is no pending action.
  useEffect(() => {
    if (!done) return;
    setAsking(null);
    reset();
  }, [done, reset]);
  /** Keep what was typed until the relay accepts it. */
  const send = (action: AlarmActionName, call: () => Promise<void>) =>
    mutate({ action, call }, { onSuccess: () => setAsking(null) });
  const failureIn = (action: AlarmActionName) =>
    error && variables?.action === action ? failureTexts("", callFailure(error)).trim() : null;
  const failure =
    typeof closeResult === "object" && closeResult !== null
      ? labels.error(closeResult.refused)
      : failureIn("wake");
  const isOrdered = typeof alarm.detail?.closesAt === "string" || closing !== null || closeResult === "taken";
  const mayClose = type === "external-open" && active && !isOrdered;
  /** Water is closed also if this page is left before the relay has answered (CMD-8). */
  const closeLater = async (): Promise<void> => {
    setCloseResult(null);
    const name =
      channel === undefined
        ? null
        : labels.thing({ name: channel.name ?? "", number: channel.number }).trim();
    const outcome = await outbox.closeIn({ alarmId: alarm.id, minutes: CLOSE_IN_MINUTES, name });
    if (outcome.kind === "taken") setCloseResult("taken");
    if (outcome.kind !== "refused") return;
    outbox.dismiss(outcome.id);
    setCloseResult({ refused: outcome.reason });
  };
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
      loading={sending === action}
      loadingText={t("sending")}
      disabled={sending !== null}
      onClick={onClick}
    >
      {label}
    </Button>
  );

  return (
    <AlarmPanel>
      {details.map((detail) => (
        <AlarmNote key={detail}>{detail}</AlarmNote>
      ))}
      {ack && (
        <AlarmNote>
          {t("seen", { by: ack.by.nickname, time: texts.dayTime(Date.parse(ack.at)) })}
          {ack.comment !== null && <q>{ack.comment}</q>}
        </AlarmNote>
      )}
      {snooze && (
        <AlarmNote>
          {t("putOffFor")} <q>{snooze.reason}</q>
        </AlarmNote>
      )}
      {closing !== null && <RememberedNote entry={closing} onTakeBack={() => outbox.takeBack(closing.id)} />}
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      {readOnly && <AlarmNote>{t("readOnly")}</AlarmNote>}
      {asking === null && !readOnly && (
        <ActionRow>
          {mayClose && (
            <Button size="sm" disabled={sending !== null} onClick={() => void closeLater()}>
              {t("closeIn", { count: CLOSE_IN_MINUTES })}
            </Button>
          )}
          {ack === null &&
            button("acknowledge", t("acknowledge.open"), mayClose ? "outline" : "solid", () =>
              setAsking("acknowledge"),
            )}
          {mayPutOff && button("putOff", t("putOff.open"), "outline", () => setAsking("putOff"))}
          {snooze &&
            button("wake", t("wake"), "outline", () => send("wake", () => endSnooze(client, alarm.id)))}
        </ActionRow>
      )}
      {asking === "acknowledge" && (
        <AcknowledgeForm
          busy={sending === "acknowledge"}
          failure={failureIn("acknowledge")}
          onCancel={() => setAsking(null)}
          onSend={(comment) => send("acknowledge", () => acknowledgeAlarm(client, alarm.id, comment))}
        />
      )}
      {asking === "putOff" && (
        <SnoozeForm
          busy={sending === "putOff"}
          failure={failureIn("putOff")}
          onCancel={() => setAsking(null)}
          onSend={(until, reason) => send("putOff", () => snoozeAlarm(client, alarm.id, until, reason))}
        />
      )}
    </AlarmPanel>
  );
}

interface GroupActionsProps {
  alarms: readonly Alarm[];
  /** The alarms one by one. */
  list: ReactNode;
}

/** List the alarms of one cause in a flood, with one button that acknowledges all of them. */
export function GroupActions({ alarms, list }: GroupActionsProps) {
  const { t } = useTranslation("alarms");
  const [open, setOpen] = useState(false);
  return (
    <AlarmPanel>
      <ActionRow>
        <AcknowledgeAll alarms={alarms} />
        <Button size="sm" variant="outline" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? "fold" : "unfold")}
        </Button>
      </ActionRow>
      {open && list}
    </AlarmPanel>
  );
}

interface AcknowledgeAllProps {
  alarms: readonly Alarm[];
  variant?: "solid" | "outline";
}

/** Acknowledge these alarms without a comment; nothing if all are acknowledged or another's farm is read. */
export function AcknowledgeAll({ alarms, variant = "solid" }: AcknowledgeAllProps) {
  const { t } = useTranslation("alarms");
  const { client } = useRest();
  const readOnly = useReadOnly();
  const failureTexts = useWriteFailureTexts();
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
      {error && <ErrorNote>{failureTexts("", callFailure(error)).trim()}</ErrorNote>}
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

/** Lay out the details and actions below an alarm's line. */
function AlarmPanel({ children }: { children: ReactNode }) {
  return (
    <Grid
      gridColumn="2 / -1"
      gap="1.5"
      minW="0"
      css={{ '[data-surface="phone"] .alarm-line--whole > &': { gridColumn: "1 / -1", mt: "1" } }}
      data-testid="alarm-actions"
    >
      {children}
    </Grid>
  );
}

/** A row of buttons; nothing without any. */
function ActionRow({ children }: { children: ReactNode }) {
  return (
    <Flex wrap="wrap" gap="2" mt="1" _empty={{ display: "none" }}>
      {children}
    </Flex>
  );
}
