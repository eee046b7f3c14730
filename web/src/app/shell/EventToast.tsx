import type { Alarm, AlarmType } from "@mulkko/shared/live/alarm";
import type { LiveEvent } from "@mulkko/shared/live/events";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import type { Toast } from "../../components/toast.ts";
import { toaster } from "../../components/toaster.tsx";
import { IN_ONE_LINE, useOpenValveTexts } from "../../domain/alarm/open-valves.ts";
import { isInStrip } from "../../domain/alarm/present-alarms.ts";
import { useNames } from "../../domain/farm/use-names.ts";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useLiveFarm } from "../../live/hooks.ts";
import { splitNotification } from "./notification-end.ts";

/** The alarm of an event follows it within this time, ms. */
const ALARM_WITHIN_MS = 500;

/** Return the key of an event's subject and the alarms that say what it says; null for an event without one. */
function alarmOf(event: LiveEvent): { key: string; types: readonly AlarmType[] } | null {
  switch (event.kind) {
    case "flip":
      return event.online ? null : { key: event.key, types: ["offline", "controller-offline"] };
    case "command":
      return event.state === "refused"
        ? null
        : { key: `channel:${event.channelId}`, types: ["command-unconfirmed", "command-failed"] };
    case "watering":
      return { key: `channel:${event.watering.channelId}`, types: ["external-open"] };
    default:
      return null;
  }
}

/** Return true if the strip, which every page but the list of alarms has, says what an event says. */
function isSaid(event: LiveEvent, alarms: readonly Alarm[]): boolean {
  if (event.kind === "alarm") return isInStrip(event.alarm, alarms);
  const own = alarmOf(event);
  return alarms.some(
    (alarm) => own?.key === alarm.key && own.types.includes(alarm.type) && isInStrip(alarm, alarms),
  );
}

/**
 * Show one event as a toast, once. Loaded with the first one: most pages show none.
 *
 * @param props.otherInStrip true while the strip shows another account's alarm
 */
export function EventToast({ event, otherInStrip }: { event: LiveEvent; otherInStrip: boolean }) {
  const { t } = useTranslation(["common", "shell"]);
  const openTexts = useOpenValveTexts(useTimeTexts());
  const labels = useLabels();
  const names = useNames();
  const farm = useLiveFarm();

  const toastOf = (): Toast => {
    switch (event.kind) {
      case "notification": {
        const { device, text } = splitNotification(event.message, farm());
        const title = [device, labels.notificationType(event.type)].filter(Boolean).join(" · ");
        return { type: "info", title, description: text };
      }
      case "flip":
        return {
          type: event.online ? "info" : "warning",
          title: names.ofKey(event.key)?.name ?? t("shell:activity.gone"),
          description: t(event.online ? "shell:activity.online" : "shell:activity.offline"),
        };
      case "command":
        return {
          type: "error",
          title: labels.thing({
            name: names.ofCommand(event)?.name ?? t("shell:activity.gone"),
            number: event.number,
          }),
          description:
            event.reason === undefined
              ? t(`command.sentence.${event.state}`, {
                  target: t(event.target === 2 ? "command.target.close" : "command.target.open"),
                })
              : labels.error(event.reason),
        };
      case "watering": {
        const channel = names.ofWatering(event.watering);
        return {
          type: "warning",
          title: channel ? labels.thing(channel) : t("shell:activity.gone"),
          description: t("shell:activity.external"),
        };
      }
      case "alarm": {
        const { type, priority } = event.alarm;
        const thing = names.ofThing(event.alarm);
        const open = openTexts(event.alarm, names, IN_ONE_LINE);
        const what = [labels.alarmType(type), ...(open === null ? [] : [open])].join(" · ");
        return {
          type: priority === 1 ? "error" : "warning",
          ...(thing ? { title: labels.thing(thing), description: what } : { title: what }),
        };
      }
    }
  };
  const show = useEffectEvent(() => {
    if (otherInStrip || !isSaid(event, [...farm().alarms.values()])) toaster.create(toastOf());
  });
  const waits = useEffectEvent(() => alarmOf(event) !== null);
  useEffect(() => {
    if (!waits()) return show();
    const timer = setTimeout(() => show(), ALARM_WITHIN_MS);
    return () => clearTimeout(timer);
  }, []);
  return null;
}
