import { Button } from "@chakra-ui/react";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { useState } from "react";
import { useTimeWords } from "../farm/use-time-words.ts";
import { useLabels } from "../i18n/labels.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { acknowledgeAlarm, closeIn, endSnooze, snoozeAlarm } from "../rest/alarms.ts";
import { useReadOnly, useRest } from "../rest/hooks.ts";
import { ErrorNote } from "../ui/feedback/error-note.tsx";
import { AcknowledgeForm } from "./AcknowledgeForm.tsx";
import { alarmDetail } from "./alarm-detail.ts";
import { SnoozeForm } from "./SnoozeForm.tsx";
import { type Deed, isDone, useAlarmDeed } from "./use-alarm-deed.ts";
import "./alarm-desk.css";

/** What a valve that somebody opened at the controller is given by one press, min (RUN-3). */
export const CLOSE_IN_MINUTES = 10;

/** What is known of an alarm, what was said of it, and what can be done: seen, put off, closed. */
export function AlarmDesk({ alarm }: { alarm: Alarm }) {
  const { t } = useTranslation(["alarms", "common"]);
  const labels = useLabels();
  const words = useTimeWords();
  const { client } = useRest();
  const readOnly = useReadOnly();
  const deeds = useAlarmDeed(alarm);
  const [asking, setAsking] = useState<"acknowledge" | "putOff" | null>(null);
  const { ack, snooze, active, priority, type } = alarm;

  const details = alarmDetail(alarm, {
    t,
    time: (instant) => words.dayTime(Date.parse(instant)),
    error: labels.error,
  });
  /** What was typed stays until it is taken. */
  const send = (deed: Deed, call: () => Promise<void>) => deeds.run(deed, call, () => setAsking(null));
  const failureIn = (deed: Deed) => {
    const code = deeds.failureOf(deed);
    return code === null ? null : labels.error(code);
  };
  const failure = failureIn("close") ?? failureIn("wake");
  const mayClose = type === "external-open" && active && !isDone("close", alarm);
  const mayPutOff = active && priority !== 1 && snooze === null;
  const isBusy = deeds.sending !== null;

  return (
    <div className="alarm-desk">
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
              loading={deeds.sending === "close"}
              loadingText={t("sending")}
              disabled={isBusy}
              onClick={() => deeds.run("close", () => closeIn(client, alarm.id, CLOSE_IN_MINUTES))}
            >
              {t("closeIn", { count: CLOSE_IN_MINUTES })}
            </Button>
          )}
          {ack === null && (
            <Button
              size="sm"
              variant={mayClose ? "outline" : "solid"}
              loading={deeds.sending === "acknowledge"}
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
              loading={deeds.sending === "putOff"}
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
              loading={deeds.sending === "wake"}
              loadingText={t("sending")}
              disabled={isBusy}
              onClick={() => deeds.run("wake", () => endSnooze(client, alarm.id))}
            >
              {t("wake")}
            </Button>
          )}
        </div>
      )}
      {asking === "acknowledge" && (
        <AcknowledgeForm
          busy={deeds.sending === "acknowledge"}
          failure={failureIn("acknowledge")}
          onCancel={() => setAsking(null)}
          onSend={(comment) => send("acknowledge", () => acknowledgeAlarm(client, alarm.id, comment))}
        />
      )}
      {asking === "putOff" && (
        <SnoozeForm
          busy={deeds.sending === "putOff"}
          failure={failureIn("putOff")}
          onCancel={() => setAsking(null)}
          onSend={(until, reason) => send("putOff", () => snoozeAlarm(client, alarm.id, until, reason))}
        />
      )}
    </div>
  );
}
