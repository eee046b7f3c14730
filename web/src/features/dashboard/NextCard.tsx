import type { WateringPreview } from "@mulkko/shared/rest/waterings";
import { Link } from "react-router-dom";
import { Card } from "../../components/card.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import type { Refreshed } from "../../farm/use-refreshed.ts";
import { useTimeWords } from "../../farm/use-time-words.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useIsStale, useServerTime } from "../../live/hooks.ts";
import { ThingTitle } from "../../ui/valve/thing-title.tsx";
import { nextWaterings } from "./next-waterings.ts";
import type { ValveNow } from "./valve-now.ts";

export interface NextCardProps {
  valves: readonly ValveNow[];
  preview: Refreshed<WateringPreview>;
}

/** List the waterings of the next 24 hours: those by the clock, and the valves that wait for dry soil. */
export function NextCard({ valves, preview: { value, failure } }: NextCardProps) {
  const { t } = useTranslation("dashboard");
  // Without the network a plan that was never loaded stays unknown.
  const stale = useIsStale();
  return (
    <Card
      title={t("next.title")}
      aside={
        <Link className="dashboard__all" to="/irrigation">
          {t("all")}
        </Link>
      }
    >
      {value !== null ? (
        <NextList {...nextWaterings(value)} valves={valves} />
      ) : stale || failure !== null ? (
        <p className="next__none">{t(stale ? "next.unknown" : "next.failed")}</p>
      ) : (
        <Skeleton height="5rem" />
      )}
    </Card>
  );
}

type NextListProps = ReturnType<typeof nextWaterings> & { valves: readonly ValveNow[] };

function NextList({ coming, more, byMoisture, unclear, unread, valves }: NextListProps) {
  const { t } = useTranslation(["dashboard", "common"]);
  const words = useTimeWords();
  const today = useServerTime((now) => words.isoDay(now));
  const when = (instant: string) => {
    const at = Date.parse(instant);
    const time = words.time(at);
    return words.isoDay(at) === today ? time : t("next.tomorrow", { time });
  };
  const nameOf = (channelId: string) =>
    valves.find(({ channel }) => channel.id === channelId)?.channel.name ?? null;
  return (
    <>
      {coming.length === 0 && unread === 0 && <p className="next__none">{t("next.none")}</p>}
      <ol className="next">
        {coming.map(({ id, channelId, number, kind, start, end }) => (
          <li key={id}>
            <span className="next__when">{when(start)}</span>
            <span className="next__what">
              <ThingTitle name={nameOf(channelId)} number={number} />
            </span>
            <span className="next__how">
              {kind !== "running" && t(`common:mode.${kind}`)}
              {end !== null &&
                ` · ${t("common:duration.minutes", { count: Math.max(1, Math.round((Date.parse(end) - Date.parse(start)) / 60_000)) })}`}
            </span>
          </li>
        ))}
      </ol>
      {more > 0 && <p className="next__note">{t("next.more", { count: more })}</p>}
      {byMoisture > 0 && <p className="next__note">{t("next.byMoisture", { count: byMoisture })}</p>}
      {unclear > 0 && <p className="next__note">{t("next.unclear", { count: unclear })}</p>}
      {unread > 0 && <p className="next__note">{t("next.unread", { count: unread })}</p>}
    </>
  );
}
