import { shallow } from "zustand/shallow";
import { useReadOnly } from "../../api/hooks.ts";
import { type LiveFarm, useKnowledge, useLiveSelection } from "../../live/hooks.ts";

/** Local storage key, set once the user has hidden the steps in this browser. */
export const HIDDEN_KEY = "mulkko.first-steps";

const KINDS = ["farm.listing", "sensor.listing", "channel"] as const;

/** Return which of the steps are done: farm, sensor, valve. */
const doneSteps = ({
  farms,
  sensors,
  channels,
}: Pick<LiveFarm, "farms" | "sensors" | "channels">): readonly boolean[] => [
  farms.size > 0,
  sensors.size > 0,
  channels.size > 0,
];

/**
 * Return which of the first steps are done while they are shown (FIRST-1); null for a farm that has all, an unknown
 * one, another account's, and where the user has hidden them.
 */
export function useFirstSteps(): readonly boolean[] | null {
  const readOnly = useReadOnly();
  const { known } = useKnowledge();
  const done = useLiveSelection(KINDS, doneSteps, shallow);
  const isShown = known && !readOnly && !done.every(Boolean) && localStorage.getItem(HIDDEN_KEY) === null;
  return isShown ? done : null;
}
