import { useTranslation } from "react-i18next";
import { useTimeWords } from "../../domain/time/use-time-words.ts";
import { spanWords, useWateringWords } from "../../domain/watering/watering-words.ts";
import { useChannelWaterings } from "./use-channel-waterings.ts";

/** Show what started the current watering, else the last watering. */
export function LastWatering({ channelId }: { channelId: string }) {
  const { t } = useTranslation(["common", "controller"]);
  const words = useTimeWords();
  const texts = useWateringWords();
  const { running, last } = useChannelWaterings(channelId);
  if (running) {
    const who = running.by?.nickname ?? t(`watering.cause.${running.cause}`);
    const time = words.time(Date.parse(running.start));
    if (running.cause === "external") {
      return (
        <span className="panel__note panel__external">{t("controller:openedExternally", { time })}</span>
      );
    }
    return <span className="panel__note">{t("controller:openedBy", { who, time })}</span>;
  }
  if (!last?.end) return null;
  const end = Date.parse(last.end);
  return (
    <span className="panel__note">
      {t("controller:last", spanWords(Date.parse(last.start), end, words, true))}
      {` · ${texts.ending(last, end)}`}
    </span>
  );
}
