import type { Alarm } from "@mulkko/shared/live/alarm";
import { useCallback, useEffect, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { thingTitle, useThing } from "../farm/use-names.ts";
import { useLabels } from "../i18n/labels.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { loadWords } from "../i18n/words.ts";
import { useAge, useLink } from "../live/hooks.ts";
import { AlarmBadge } from "../ui/feedback/alarm-badge.tsx";
import { ForwardIcon } from "../ui/icon/icons.tsx";
import { LazySheet } from "../ui/layout/lazy-sheet.tsx";
import { useSurface } from "../ui/theme/use-surface.ts";
import { expectStrip, isStripExpected } from "./expected-strip.ts";
import { ALARMS_PATH, type AlarmNews, isUrgent } from "./present-alarms.ts";
import { useAlarmNews } from "./use-present-alarms.ts";
import "./alarm-strip.css";

/** All alarms beside the page that somebody is on: a desktop need not leave it. */
const loadBoard = async () => {
  const [{ AlarmDrawer }] = await Promise.all([import("./AlarmDrawer.tsx"), loadWords(["alarms"])]);
  return AlarmDrawer;
};

/** The worst of what nobody has seen, over every page; nothing where there is nothing. A press opens them all. */
export function AlarmStrip() {
  const news = useAlarmNews();
  const { t } = useTranslation("common");
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const { pathname } = useLocation();
  const starting = useLink((link) => link.screen.state === "starting");
  const [expected] = useState(isStripExpected);
  const shown = news !== null;
  useEffect(() => {
    if (!starting) expectStrip(shown);
  }, [starting, shown]);
  const here = pathname !== ALARMS_PATH;
  return (
    <>
      <Announced alarm={news?.worst ?? null} />
      {here && news && <Strip news={news} onOpen={() => setOpen(true)} />}
      {here && !news && starting && expected && navigator.onLine && (
        <div className="alarm-strip" aria-hidden />
      )}
      {open && <LazySheet title={t("alarm.title")} place="end" onClose={close} load={loadBoard} />}
    </>
  );
}

/** What an alarm is about and what is wrong, in words: two, or one where it is about everything. */
function useAlarmWords(alarm: Alarm | null): readonly [string] | readonly [string, string] | null {
  const { t } = useTranslation("common");
  const { alarmType } = useLabels();
  const thing = useThing(alarm?.key ?? "");
  if (alarm === null) return null;
  const type = alarmType(alarm.type);
  return thing ? [thingTitle(thing, (number) => t("valve.channel", { number })), type] : [type];
}

/**
 * Tells screen readers of an alarm once, when it becomes the worst: at once for the most urgent, else when they have
 * finished their sentence. The strip itself is silent, as its age would speak every minute.
 */
function Announced({ alarm }: { alarm: Alarm | null }) {
  const words = useAlarmWords(alarm)?.join(", ") ?? "";
  const urgent = alarm !== null && isUrgent(alarm);
  return (
    <div className="visually-hidden">
      <p role="alert">{urgent ? words : ""}</p>
      <p role="status">{urgent ? "" : words}</p>
    </div>
  );
}

function Strip({ news: { worst, more }, onOpen }: { news: AlarmNews; onOpen: () => void }) {
  const { t } = useTranslation("common");
  const { age } = useLabels();
  const ms = useAge(worst.raisedAt);
  const [title = "", said] = useAlarmWords(worst) ?? [];
  const phone = useSurface() === "phone";
  const inside = (
    <>
      <AlarmBadge priority={worst.priority} />
      <span className="alarm-strip__text">
        <strong>{title}</strong>
        {said !== undefined && <span>{said}</span>}
        {!worst.active && <span>{t("alarm.over")}</span>}
      </span>
      <span className="alarm-strip__age">{age(ms ?? 0)}</span>
      {more > 0 && (
        <span className="alarm-strip__more">
          <span aria-hidden>+{more}</span>
          <span className="visually-hidden">{t("alarm.more", { count: more })}</span>
        </span>
      )}
      <ForwardIcon />
    </>
  );
  const look = {
    className: "alarm-strip",
    "data-priority": worst.active ? worst.priority : undefined,
    "data-urgent": isUrgent(worst) || undefined,
  };
  return (
    <section aria-label={t("alarm.title")}>
      {phone ? (
        <Link to={ALARMS_PATH} {...look}>
          {inside}
        </Link>
      ) : (
        <button type="button" aria-haspopup="dialog" onClick={onOpen} {...look}>
          {inside}
        </button>
      )}
    </section>
  );
}
