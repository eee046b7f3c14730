import { ChevronLeftIcon, ChevronRightIcon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { IconButton } from "../../components/icon-button.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { addMonths, dayAfterKey, firstDayOfWeek, type Month, monthOf, pick, weeksOf } from "./calendar.ts";
import "./calendar.css";

export interface CalendarProps {
  /** Selected range, `YYYY-MM-DD`. */
  start: string | null;
  end: string | null;
  /** Today in the account's time zone; later days are disabled. */
  today: string;
  /** Earlier days are disabled. */
  earliest: string;
  /** Called when both days are selected, the earlier one first. */
  onPick: (start: string, end: string) => void;
}

const utcDate = (day: string): Date => new Date(`${day}T00:00:00Z`);

/**
 * Calendar of one month: the first click selects one end of a range, the second the other. Arrow keys move
 * between days.
 */
export function Calendar({ start, end, today, earliest, onPick }: CalendarProps) {
  const { t, i18n } = useTranslation("log");
  const [focused, setFocused] = useState(end ?? today);
  const [month, setMonth] = useState<Month>(() => monthOf(end ?? today));
  const [first, setFirst] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const grid = useRef<HTMLTableElement>(null);
  const moved = useRef(false);
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${focused}"]`)?.focus();
  }, [focused]);

  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(i18n.language, { timeZone: "UTC", ...options });
  const title = format({ year: "numeric", month: "long" });
  const weekday = format({ weekday: "short" });
  const whole = format({ year: "numeric", month: "long", day: "numeric", weekday: "long" });
  const weeks = weeksOf(month, firstDayOfWeek(i18n.language));
  const own = `${month.year}-${`${month.month}`.padStart(2, "0")}`;
  const other = over ?? first;
  const [from, to] =
    first === null ? [start, end] : [first, other].toSorted((a, b) => (`${a}` < `${b}` ? -1 : 1));
  const within = (day: string) => from != null && to != null && day >= from && day <= to;
  const isOut = (day: string) => day > today || day < earliest;

  const choose = (day: string) => {
    const picked = pick(first, day);
    setFirst(picked.first);
    setFocused(day);
    if (picked.done) onPick(picked.done.start, picked.done.end);
  };
  const move = (key: string): boolean => {
    const next = dayAfterKey(focused, key);
    if (next === null) return false;
    const kept = next > today ? today : next < earliest ? earliest : next;
    moved.current = true;
    setFocused(kept);
    setOver(kept);
    setMonth(monthOf(kept));
    return true;
  };
  const page = (months: number) => {
    const next = addMonths(month, months);
    setMonth(next);
    setFocused(`${next.year}-${`${next.month}`.padStart(2, "0")}-01`);
  };
  return (
    <div className="calendar">
      <div className="calendar__head">
        <IconButton label={t("calendar.before")} onClick={() => page(-1)} disabled={`${own}-01` <= earliest}>
          <ChevronLeftIcon />
        </IconButton>
        <strong aria-live="polite">{title.format(utcDate(`${own}-01`))}</strong>
        <IconButton label={t("calendar.after")} onClick={() => page(1)} disabled={own >= today.slice(0, 7)}>
          <ChevronRightIcon />
        </IconButton>
      </div>
      <p className="calendar__hint" aria-live="polite">
        {t(first === null ? "calendar.pickStart" : "calendar.pickEnd")}
      </p>
      <table
        ref={grid}
        onKeyDown={(event) => {
          if (move(event.key)) event.preventDefault();
        }}
        onPointerLeave={() => setOver(null)}
      >
        <thead>
          <tr>
            {weeks[0]?.map((day) => (
              <th key={day} scope="col">
                {weekday.format(utcDate(day))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <td key={day} data-within={within(day) || undefined}>
                  <button
                    type="button"
                    data-day={day}
                    data-other={!day.startsWith(own) || undefined}
                    data-end={day === from || day === to || undefined}
                    aria-current={day === today ? "date" : undefined}
                    aria-pressed={within(day)}
                    tabIndex={day === focused ? 0 : -1}
                    disabled={isOut(day)}
                    onPointerEnter={() => setOver(day)}
                    onClick={() => choose(day)}
                  >
                    <span aria-hidden>{Number(day.slice(8))}</span>
                    <span className="visually-hidden">{whole.format(utcDate(day))}</span>
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
