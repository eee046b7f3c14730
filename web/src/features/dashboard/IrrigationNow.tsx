import { clockText, secondsLeft } from "../../farm/countdown.ts";
import { earliestOf, type NextWaterings } from "../../farm/next-watering.ts";
import { useTimeWords } from "../../farm/use-time-words.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useIsStale, useKnowsPresent, useServerTime } from "../../live/hooks.ts";
import { ThingTitle } from "../../ui/valve/thing-title.tsx";
import { type ValveNow, waterIn } from "./valve-now.ts";

/** What runs now and how long still; else when water runs next. */
export function IrrigationNow({ valves, next }: { valves: readonly ValveNow[]; next: NextWaterings }) {
  const { t } = useTranslation(["dashboard", "common"]);
  const words = useTimeWords();
  const stale = useIsStale();
  const known = useKnowsPresent();
  const running = waterIn(valves, "runs");
  const unsure = waterIn(valves, "ran");
  const [first = unsure[0]] = running;
  const until = running[0]?.channel.value.runUntil ?? null;
  const left = useServerTime((now) => secondsLeft(until, now));
  const start = useServerTime((now) =>
    earliestOf(
      next,
      valves.map(({ channel }) => channel.id),
      now,
    ),
  );
  if (stale) return <strong>{t("common:link.notLive")}</strong>;
  if (!first && !known) return <strong>{t("common:link.connecting")}</strong>;
  if (!first) {
    return (
      <>
        <strong>{t("irrigation.none")}</strong>
        {start !== null && <span>{t("common:valve.next", { time: words.time(start) })}</span>}
      </>
    );
  }
  return (
    <>
      <strong>
        {[
          ...(running.length > 0 ? [t("irrigation.running", { count: running.length })] : []),
          ...(unsure.length > 0 ? [t("irrigation.unsure", { count: unsure.length })] : []),
        ].join(" · ")}
      </strong>
      <span className="scene-tile__valve">
        <ThingTitle name={first.channel.name} number={first.channel.value.number} />
        {left !== null && <i>{t("common:duration.left", { time: clockText(left) })}</i>}
      </span>
    </>
  );
}
