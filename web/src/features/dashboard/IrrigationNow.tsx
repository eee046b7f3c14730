import { useTranslation } from "react-i18next";
import { clockText, secondsLeft } from "../../farm/countdown.ts";
import { useTimeWords } from "../../farm/use-time-words.ts";
import { useIsStale, useKnowsPresent, useServerTime } from "../../live/hooks.ts";
import { nextReservation, runningNow, type ValveNow } from "./valve-now.ts";

/** What runs now and how long still; else when water runs next. */
export function IrrigationNow({ valves }: { valves: readonly ValveNow[] }) {
  const { t } = useTranslation(["dashboard", "common"]);
  const words = useTimeWords();
  const stale = useIsStale();
  const known = useKnowsPresent();
  const running = runningNow(valves);
  const [first] = running;
  const until = first?.channel.value.runUntil ?? null;
  const left = useServerTime((now) => secondsLeft(until, now));
  const clock = useServerTime((now) => words.time(now));
  if (stale) return <strong>{t("common:link.notLive")}</strong>;
  if (!first && !known) return <strong>{t("common:link.connecting")}</strong>;
  if (!first) {
    const next = nextReservation(valves, clock);
    return (
      <>
        <strong>{t("irrigation.none")}</strong>
        {next && <span>{t("common:valve.next", { time: next })}</span>}
      </>
    );
  }
  const channel = t("common:valve.channel", { number: first.channel.value.number });
  return (
    <>
      <strong>{t("irrigation.running", { count: running.length })}</strong>
      <span>
        {first.box.name} {channel}
        {left !== null && ` · ${t("common:duration.left", { time: clockText(left) })}`}
      </span>
    </>
  );
}
