import "./alarm-strip.css";
import { Flex, Text } from "@chakra-ui/react";
import type { Alarm } from "@mulkko/shared/live/alarm";
import { ChevronRightIcon } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router-dom";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import { LazySheet } from "../../components/lazy-panels.tsx";
import { IN_ONE_LINE, useOpenValves } from "../../domain/alarm/open-valves.ts";
import { ALARMS_PATH, beganAt, isUrgent, useAlarmNews } from "../../domain/alarm/present-alarms.ts";
import { PANEL_PATH } from "../../domain/farm/device-paths.ts";
import { type NamedAlarm, useThing } from "../../domain/farm/use-names.ts";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useFirstSync } from "../../live/hooks.ts";
import { useSurface } from "../../theme/use-surface.ts";

const KEY = "mulkko.alarmStrip";

/**
 * Return the alarm strip that was shown when this browser last knew, null for none. The page then reserves
 * its space, and does not move when the strip appears. One about a finished alarm is lower.
 */
function expectedStrip(): "active" | "over" | null {
  const shown = localStorage.getItem(KEY);
  return shown === "active" || shown === "over" ? shown : null;
}

/** On a desktop the alarms open beside the current page. */
const loadBoard = () => import("../../features/alarms/AlarmBoard.tsx").then((m) => m.AlarmDrawer);

/**
 * Show the worst unacknowledged alarm above every page, or nothing. A click opens all alarms.
 *
 * @param props.others number of urgent alarms of other accounts
 */
export function AlarmStrip({ others = 0 }: { others?: number }) {
  const news = useAlarmNews();
  const worst = news?.worst ?? null;
  const texts = useAlarmTexts(worst);
  const { t } = useTranslation("common");
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const { pathname } = useLocation();
  const sync = useFirstSync();
  const [expected] = useState(expectedStrip);
  const shown = worst && (worst.active ? "active" : "over");
  useEffect(() => {
    // A page that was never live knows of no alarm, which is not the same as that there is none (KNOW-1).
    if (sync !== "done") return;
    if (shown) localStorage.setItem(KEY, shown);
    else localStorage.removeItem(KEY);
  }, [sync, shown]);
  const here = pathname !== ALARMS_PATH;
  const low = pathname === PANEL_PATH;
  return (
    <>
      <Announced alarm={worst} texts={texts} />
      {here && news && (
        <Strip
          alarm={news.worst}
          {...{ texts, low }}
          more={news.more + others}
          onOpen={() => setOpen(true)}
        />
      )}
      {here && !news && sync === "waiting" && expected && navigator.onLine && (
        <Flex
          css={STRIP}
          data-over={expected === "over" || undefined}
          data-low={low || undefined}
          aria-hidden
          data-testid="alarm-strip-space"
        />
      )}
      {open && <LazySheet title={t("alarm.title")} place="end" onClose={close} load={loadBoard} />}
    </>
  );
}

const STRIP = {
  alignItems: "center",
  gap: "3",
  w: "full",
  minH: "12",
  py: "1.5",
  px: "page",
  borderBottomWidth: "1px",
  bg: "bg.sunk",
  textAlign: "start",
  cursor: "pointer",
  "&[data-priority]": { bg: "var(--alarm-tint)" },
  "&:is([data-priority='1'], [data-priority='2'])": { borderBottom: "2px solid var(--alarm-fg)" },
  _focusVisible: { outlineOffset: "-3px" },
  "& > svg": { flex: "none" },
  "& strong": { fontWeight: "650" },
  // Only the most urgent alarms that no user has acknowledged move.
  "&[data-urgent]": {
    boxShadow: "inset 0 0 0 3px {colors.alarm.p1.fg}",
    animation: "alarm-strip-pulse 1s steps(2, jump-none) infinite",
  },
  "[data-surface=phone] &": {
    // Title and fault take two lines on most phones; with one as high, nothing moves when one comes.
    "&:not([data-over], [data-low])": { minH: "16" },
    // Short, because all of it is a tap away (UI-3, UI-6): a valve needs the screen, and large letters fill it.
    "&[data-low] > [data-brief]": { display: "block", truncate: true },
    "@media (max-width: 22rem)": {
      minH: "48px !important",
      columnGap: "12px",
      "&:not([data-low]) > [data-brief]": { lineClamp: "2" },
      "& > [data-age]": { display: "none" },
    },
  },
};

/** Placeholder for an alarm without a subject. */
const NO_ALARM: NamedAlarm & Pick<Alarm, "valves"> = { key: "" };

/**
 * Return the subject and the problem of an alarm, translated; one text if the alarm concerns the whole
 * account, none without an alarm.
 */
function useAlarmTexts(alarm: Alarm | null): readonly string[] {
  const labels = useLabels();
  const thing = useThing(alarm ?? NO_ALARM);
  const open = useOpenValves(alarm ?? NO_ALARM, useTimeTexts(), IN_ONE_LINE);
  if (alarm === null) return [];
  const type = [labels.alarmType(alarm.type), ...(alarm.active && open !== null ? [open] : [])].join(" · ");
  return thing ? [labels.thing(thing), type] : [type];
}

/**
 * Announce an alarm to screen readers once, when it becomes the worst. The most urgent ones interrupt, the
 * others wait. The strip itself is not a live region, as its age changes every minute.
 */
export function Announced({ alarm, texts }: { alarm: Alarm | null; texts: readonly string[] }) {
  const urgent = alarm !== null && isUrgent(alarm);
  const text = texts.join(", ");
  return (
    <div className="visually-hidden">
      <p role="alert">{urgent && text}</p>
      <p role="status">{!urgent && text}</p>
    </div>
  );
}

interface StripProps {
  readonly alarm: Alarm;
  /** Subject and problem. */
  readonly texts: readonly string[];
  /** Number of further alarms. */
  readonly more: number;
  /** True for one line on a phone, the problem first. */
  readonly low?: boolean;
  /** Address of the alarms. */
  readonly to?: string;
  /** Open the alarms beside the page of a desktop; without it the strip is a link there, too. */
  readonly onOpen?: () => void;
}

/** Show one alarm: subject, problem, age, and the number of further ones. */
export function Strip({ alarm, texts, more, low = false, to = ALARMS_PATH, onOpen }: StripProps) {
  const { t } = useTranslation("common");
  const { age } = useLabels();
  const ms = useAge(beganAt(alarm));
  const phone = useSurface() === "phone";
  const shown = alarm.active ? texts : [texts[0], t("alarm.over")];
  const [first, second] = low && phone ? shown.toReversed() : shown;
  const inside = (
    <>
      <AlarmBadge priority={alarm.priority} />
      <Flex as="span" wrap="wrap" flex="1" rowGap="0" columnGap="2.5" minW="0" data-brief>
        <strong>{first}</strong> {second !== undefined && <span>{second}</span>}
      </Flex>
      <Text as="span" flex="none" fontSize="label" data-age>
        {age(ms ?? 0)}
      </Text>
      {more > 0 && (
        <Text
          as="span"
          flex="none"
          fontSize="label"
          py="0.1rem"
          px="2"
          borderWidth="1px"
          borderColor="fg"
          rounded="1rem"
          fontWeight="semibold"
        >
          <span aria-hidden>+{more}</span>
          <span className="visually-hidden">{t("alarm.more", { count: more })}</span>
        </Text>
      )}
      <ChevronRightIcon />
    </>
  );
  return (
    <section aria-label={t("alarm.title")}>
      <Flex
        asChild
        className="alarm-strip"
        css={STRIP}
        data-priority={alarm.active ? alarm.priority : undefined}
        data-over={!alarm.active || undefined}
        data-low={low || undefined}
        data-urgent={isUrgent(alarm) || undefined}
      >
        {phone || !onOpen ? (
          <Link to={to}>{inside}</Link>
        ) : (
          <button type="button" aria-haspopup="dialog" onClick={onOpen}>
            {inside}
          </button>
        )}
      </Flex>
    </section>
  );
}
