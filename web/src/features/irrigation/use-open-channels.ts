import { useMemo } from "react";
import { waterNow } from "../../farm/last-report.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";

const CHANNELS = ["channel"] as const;

/** The ids of what is open with what is known of its water, as text, which a selection can compare. */
const openIds = ({ channels }: LiveFarm): string =>
  [...channels]
    .map(([id, channel]): string => `${waterNow(channel)} ${id}`)
    .filter((text) => !text.startsWith("none "))
    .join();

/** The channels that are open by their last report: `runs` while that report is live. The same map while nothing changes. */
export function useOpenChannels(): ReadonlyMap<string, "runs" | "ran"> {
  const ids = useLiveSelection(CHANNELS, openIds);
  return useMemo(
    () =>
      new Map(
        (ids === "" ? [] : ids.split(",")).map((text): [string, "runs" | "ran"] => {
          const space = text.indexOf(" ");
          return [text.slice(space + 1), text.startsWith("runs ") ? "runs" : "ran"];
        }),
      ),
    [ids],
  );
}
