import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import { useMemo } from "react";
import { useApiZone } from "../../api/extensions.ts";
import { useTimeWords } from "../../domain/time/use-time-words.ts";

/** Format a time of the farm API in the account's time zone; unchanged until the API's zone is known. */
export function useWhen(): (date: string) => string {
  const times = useTimeWords();
  const zone = useApiZone();
  const api = useMemo(() => (zone === null ? null : createApiTimeZone(zone)), [zone]);
  return (date) => {
    const instant = api?.toInstant(date) ?? null;
    return instant === null ? date : `${times.isoDay(instant)} ${times.exactTime(instant)}`;
  };
}
