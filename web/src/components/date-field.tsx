import { Input, type InputProps } from "@chakra-ui/react";
import { type ComponentProps, lazy, Suspense } from "react";
import type { CalendarProps } from "./calendar.tsx";
import { TextField } from "./field.tsx";
import { retried } from "./lazy/retried.ts";
import { Skeleton } from "./skeleton.tsx";

// Days are `YYYY-MM-DD` in every control and address, as `TimeWords.isoDay` writes them.

interface DayInputProps extends Omit<InputProps, "type" | "value" | "onChange"> {
  /** Empty for none. */
  value: string;
  onChange: (day: string) => void;
}

/** Select one day with the device's own field, which is typed or picked. */
export function DayInput({ onChange, ...input }: DayInputProps) {
  return (
    <Input
      colorScheme={{ _dark: "dark" }}
      {...input}
      type="date"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface DayTimeFieldProps extends Omit<ComponentProps<typeof TextField>, "type" | "onChange"> {
  onChange: (time: string) => void;
}

/** Input for a day with a time, `YYYY-MM-DDTHH:mm` or empty. */
export function DayTimeField({ onChange, ...field }: DayTimeFieldProps) {
  return <TextField {...field} type="datetime-local" onChange={(event) => onChange(event.target.value)} />;
}

/** Load the calendar's code. */
export const loadCalendar = () => retried(() => import("./calendar.tsx"));
const LazyCalendar = lazy(loadCalendar);

/** Select a range of days on a calendar, which no device has a field for. It loads when it is needed. */
export function Calendar(props: CalendarProps) {
  return (
    <Suspense fallback={<Skeleton height="24rem" />}>
      <LazyCalendar {...props} />
    </Suspense>
  );
}
