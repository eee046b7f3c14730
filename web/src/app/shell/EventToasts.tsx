import type { LiveEvent } from "@mulkko/shared/live/events";
import { thingTitle, useNames } from "../../farm/use-names.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useOnEvent, useServerNow } from "../../live/hooks.ts";
import { toaster } from "../../ui/feedback/toaster.tsx";
import { isNoteworthy } from "./activity.ts";

/** An event older than this came late, after the page was away: it stands in the bell, and nobody is startled, ms. */
const TOAST_WITHIN_MS = 60_000;

/** Says for a moment what a person should know at once: a valve that did not obey, a device gone, water by others. */
export function EventToasts() {
  const { t } = useTranslation(["common", "shell"]);
  const labels = useLabels();
  const names = useNames();
  const now = useServerNow();

  const channelWord = (number: number): string => t("valve.channel", { number });
  const say = (
    event: LiveEvent,
  ): { type: "error" | "warning" | "info"; title: string; description?: string } => {
    switch (event.kind) {
      case "notification":
        return { type: "info", title: labels.notificationType(event.type), description: event.message };
      case "flip":
        return {
          type: event.online ? "info" : "warning",
          title: names.ofKey(event.key)?.name ?? t("shell:activity.gone"),
          description: t(event.online ? "shell:activity.online" : "shell:activity.offline"),
        };
      case "command":
        return {
          type: "error",
          title: thingTitle(
            { name: names.ofCommand(event)?.name ?? t("shell:activity.gone"), number: event.number },
            channelWord,
          ),
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
          title: channel ? thingTitle(channel, channelWord) : t("shell:activity.gone"),
          description: t("shell:activity.external"),
        };
      }
      case "alarm": {
        const { key, type, priority } = event.alarm;
        const thing = names.ofThing(key);
        const what = labels.alarmType(type);
        return {
          type: priority === 1 ? "error" : "warning",
          ...(thing ? { title: thingTitle(thing, channelWord), description: what } : { title: what }),
        };
      }
    }
  };
  useOnEvent((event) => {
    if (!isNoteworthy(event) || now() - Date.parse(event.at) > TOAST_WITHIN_MS) return;
    toaster.create(say(event));
  });
  return null;
}
