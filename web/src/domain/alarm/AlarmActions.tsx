import { Button, Text } from "@chakra-ui/react";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { channelIdOf } from "@mulkko/shared/rules/device-keys";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { acknowledgeAlarm, closeIn, endSnooze, snoozeAlarm } from "../../api/alarms.ts";
import { useReadOnly, useRest } from "../../api/hooks.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useLive } from "../../live/hooks.ts";
import { useTimeWords } from "../time/use-time-words.ts";
import { useLastReport, useNearTime } from "../valve/last-report.ts";
import { valveWords } from "../valve/valve-words.ts";
import { AcknowledgeForm } from "./AcknowledgeForm.tsx";
import { ActionRow, AlarmDesk } from "./alarm-desk.tsx";
import { alarmDetail, type DetailTexts } from "./alarm-detail.ts";
import { useOpenValves } from "./open-valves.ts";
import { SnoozeForm } from "./SnoozeForm.tsx";
import { type AlarmActionName, isDone, useAlarmAction } from "./use-alarm-action.ts";

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
