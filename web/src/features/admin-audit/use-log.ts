import type { Static, TSchema } from "typebox";
import { useAccount } from "../../api/hooks.ts";
import { type LongList, type UsedList, useListed } from "../../api/listed.ts";
import type { ListAddress } from "../../components/table-address.ts";
import { DEFAULT_ZONE } from "../../domain/time/use-time-words.ts";
import { instantsOf } from "./day-range.ts";

/**
 * Load a log with the filters in the address. Its days use the reader's time zone. @param choice the filter
 * that only this log has
 */
export function useLog<S extends TSchema>(
  list: LongList<S>,
  address: ListAddress,
  choice: string,
): UsedList<Static<S>> {
  const zone = useAccount().timezone || DEFAULT_ZONE;
  const { page, size, text } = address;
  const days = instantsOf({ from: address.filter("from"), to: address.filter("to") }, zone);
  return useListed(list, {
    ...{ page, size, text, sort: null },
    filters: { ...days, [choice]: address.filter(choice) },
  });
}
