import { Button } from "@chakra-ui/react";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { channelIdOf } from "@mulkko/shared/rules/device-keys";
import { useState } from "react";
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
import { alarmDetail, type DetailTexts } from "./alarm-detail.ts";
import { useOpenValves } from "./open-valves.ts";
import { SnoozeForm } from "./SnoozeForm.tsx";
import { type AlarmActionName, isDone, useAlarmAction } from "./use-alarm-action.ts";
import "./alarm-actions.css";

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
  const isBusy = actions.sending !== null;

  return (
    <div className="alarm-desk" data-testid="alarm-actions">
      {details.map((detail) => (
        <p key={detail}>{detail}</p>
      ))}
      {ack && (
        <p className="alarm-desk__said">
          {t("seen", { by: ack.by.nickname, time: words.dayTime(Date.parse(ack.at)) })}
          {ack.comment !== null && <q>{ack.comment}</q>}
        </p>
      )}
      {snooze && (
        <p className="alarm-desk__said">
          {t("putOffFor")} <q>{snooze.reason}</q>
        </p>
      )}
      {failure !== null && <ErrorNote>{failure}</ErrorNote>}
      {readOnly && <p className="alarm-desk__said">{t("readOnly")}</p>}
      {asking === null && !readOnly && (
        <div className="alarm-desk__actions">
          {mayClose && (
            <Button
              size="sm"
              loading={actions.sending === "close"}
              loadingText={t("sending")}
              disabled={isBusy}
              onClick={() => actions.run("close", () => closeIn(client, alarm.id, CLOSE_IN_MINUTES))}
            >
              {t("closeIn", { count: CLOSE_IN_MINUTES })}
            </Button>
          )}
          {ack === null && (
            <Button
              size="sm"
              variant={mayClose ? "outline" : "solid"}
              loading={actions.sending === "acknowledge"}
              loadingText={t("sending")}
              disabled={isBusy}
              onClick={() => setAsking("acknowledge")}
            >
              {t("acknowledge.open")}
            </Button>
          )}
          {mayPutOff && (
            <Button
              size="sm"
              variant="outline"
              loading={actions.sending === "putOff"}
              loadingText={t("sending")}
              disabled={isBusy}
              onClick={() => setAsking("putOff")}
            >
              {t("putOff.open")}
            </Button>
          )}
          {snooze && (
            <Button
              size="sm"
              variant="outline"
              loading={actions.sending === "wake"}
              loadingText={t("sending")}
              disabled={isBusy}
              onClick={() => actions.run("wake", () => endSnooze(client, alarm.id))}
            >
              {t("wake")}
            </Button>
          )}
        </div>
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
    </div>
  );
}
