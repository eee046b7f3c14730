import { DatePicker, parseDate, Text } from "@chakra-ui/react";
import { datePickerSlotRecipe } from "@chakra-ui/react/theme";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { changedRecipe } from "../theme/recipe.ts";

const CALENDAR = changedRecipe(datePickerSlotRecipe, {
  base: {
    table: { width: "100%", tableLayout: "fixed" },
    tableCell: { px: "0" },
    tableCellTrigger: {
      width: "100%",
      minW: "0",
      minH: "max({sizes.11}, var(--finger))",
      // Keep seven days in a row at any font size.
      fontSize: "min({fontSizes.sm}, 5.2vw)",
      cursor: "pointer",
      _today: { fontWeight: "bold" },
      "&[data-in-hover-range]": { bg: "bg.sunk", borderRadius: "0" },
      "&[data-outside-range]": { color: "fg.subtle" },
    },
  },
  variants: { size: { md: { view: { "--datepicker-nav-trigger-size": "sizes.12" } } } },
});

export interface CalendarProps {
  /** Selected range. */
  start: string | null;
  end: string | null;
  /** Today in the account's time zone; later days are disabled. */
  today: string;
  zone: string;
  /** Earlier days are disabled. */
  earliest: string;
  /** Called when both days are selected, the earlier one first. */
  onPick: (start: string, end: string) => void;
}

/** Calendar of one month: the first click selects one end of a range, the second the other. */
export default function Calendar({ start, end, today, zone, earliest, onPick }: CalendarProps) {
  const { t, i18n } = useTranslation("log");
  const [days, setDays] = useState(() =>
    [start, end].flatMap((day) => (day === null ? [] : [parseDate(day)])),
  );
  const content = useId();
  const whole = new Intl.DateTimeFormat(i18n.language, { dateStyle: "full", timeZone: "UTC" });
  return (
    <DatePicker.Root
      recipe={CALENDAR}
      // The picker looks for the focused day in its content, which an inline one has not.
      ids={{ content }}
      inline
      selectionMode="range"
      locale={i18n.language}
      timeZone={zone}
      // Sunday in Korea and America, Monday in China.
      startOfWeek={i18n.language.startsWith("zh") ? 1 : 0}
      min={parseDate(earliest)}
      max={parseDate(today)}
      defaultFocusedValue={parseDate(end ?? today)}
      value={days}
      onValueChange={({ value }) => {
        setDays(value);
        const [first, last] = value;
        if (first && last) onPick(first.toString(), last.toString());
      }}
      translations={{
        // The name includes the visible number, for speech control.
        dayCell: ({ value }) => `${value.day}, ${whole.format(value.toDate("UTC"))}`,
        prevTrigger: () => t("calendar.before"),
        nextTrigger: () => t("calendar.after"),
      }}
    >
      <DatePicker.View view="day" id={content}>
        <DatePicker.ViewControl>
          <DatePicker.PrevTrigger />
          <DatePicker.RangeText aria-live="polite" />
          <DatePicker.NextTrigger />
        </DatePicker.ViewControl>
        <Text color="fg.muted" fontSize="label" textAlign="center" aria-live="polite">
          {t(days.length === 1 ? "calendar.pickEnd" : "calendar.pickStart")}
        </Text>
        <DatePicker.DayTable aria-roledescription={t("calendar.name")} />
      </DatePicker.View>
    </DatePicker.Root>
  );
}
