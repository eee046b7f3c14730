import { useTranslation } from "react-i18next";
import { clockText } from "../../domain/time/time-texts.ts";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import { valveView } from "../../domain/valve/valve-view.ts";
import { earliestOf, type NextWaterings } from "../../domain/watering/next-watering.ts";
import { useTimeLeft } from "../../domain/watering/use-when.ts";
import { sumWater, useWaterSentence, waterOf } from "../../domain/watering/water-sum.ts";
import {
  useDrawnQuality,
  useIsStale,
  useKnowledge,
  useLinkQuality,
  useServerTime,
} from "../../live/hooks.ts";
import { type ValveNow, waterIn } from "./valve-now.ts";

/** Show the running valves with the time left, and the next watering. */
export function IrrigationNow({ valves, next }: { valves: readonly ValveNow[]; next: NextWaterings }) {
  const { t } = useTranslation("common");
  const texts = useTimeTexts();
  const stale = useIsStale();
  const knowledge = useKnowledge();
  const links = useLinkQuality();
  const running = waterIn(valves, "runs", links);
  const [first = waterIn(valves, "ran", links)[0]] = running;
  const sum = sumWater(valves.map(({ channel }) => waterOf(channel.value, links)));
  const sentence = useWaterSentence(sum);
  const quality = useDrawnQuality(first?.channel.value);
  const { onoff = 0, command = null, runUntil = null } = first?.channel.value ?? {};
  const left = useTimeLeft(runUntil, valveView({ onoff, command, quality }));
  const start = useServerTime((now) =>
    earliestOf(
      next,
      valves.map(({ channel }) => channel.id),
      now,
    ),
  );
  if (stale) return <strong>{t("link.notLive")}</strong>;
  // The stored farm of the last visit proves nothing about its valves.
  if (!first && !knowledge.known && knowledge.why === "loading")
    return <strong>{t("link.connecting")}</strong>;
  return (
    <>
      <strong>{sentence}</strong>
      {first && (
        <span className="scene-tile__valve">
          <ThingTitle name={first.channel.name} number={first.channel.value.number} />
          {left !== null && <i>{t("duration.left", { time: clockText(left) })}</i>}
        </span>
      )}
      {sum.unknown === 0 && start !== null && <span>{t("valve.next", { time: texts.time(start) })}</span>}
    </>
  );
}
