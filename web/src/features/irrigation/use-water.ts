import type { Waterings } from "@mulkko/shared/rest/waterings";
import { type Refreshed, useRefreshed } from "../../api/use-refreshed.ts";
import { fetchWaterings } from "../../api/waterings.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";

const WATERINGS = ["watering"] as const;

/** Text that changes with each change of the listed waterings. */
const wateringSign = ({ waterings }: LiveFarm): string =>
  [...waterings]
    .map(([id, { end, litres, moistureAfter }]) => `${id} ${end} ${litres} ${moistureAfter}`)
    .join();

/** However often something changes, the list is asked for no more often than this, ms. */
const LIST_REST_MS = 5_000;
/** The day goes on though nothing happens, ms. */
const ROUND_MS = 600_000;

/** Waterings of one page. */
const PAGE = 50;

/** The newest waterings of a farm, of a channel or of all (null), and the sums of all that are kept. */
export function useWaterings(farm: string | null, channel: string | null): Refreshed<Waterings> {
  return useRefreshed({
    queryKey: ["waterings", farm, channel],
    ask: (rest, signal) =>
      fetchWaterings(
        rest,
        {
          limit: PAGE,
          ...(farm === null ? {} : { farm }),
          ...(channel === null ? {} : { channel }),
        },
        signal,
      ),
    inputs: useLiveSelection(WATERINGS, wateringSign),
    restMs: LIST_REST_MS,
    roundMs: ROUND_MS,
  });
}
