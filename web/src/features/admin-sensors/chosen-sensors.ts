import type { OwnedSensor } from "../../api/admin-sensors.ts";
import type { ChosenRows } from "../../domain/admin-list/chosen-rows.ts";

type ChosenSensors = ChosenRows<OwnedSensor>;

/** Sensors of this type are selected alone. */
const ALONE = "SSH";

const isAlone = ({ deviceType }: OwnedSensor): boolean => deviceType === ALONE;

/**
 * Return the selection for these keys: a sensor of type SSH replaces all others, and any other type replaces
 * it.
 *
 * @param shown the rows that could have been clicked
 */
export function sshAlone(
  before: ChosenSensors,
  keys: ReadonlySet<string>,
  shown: readonly OwnedSensor[],
): ChosenSensors {
  const added = shown.find(({ id }) => keys.has(`${id}`) && !before.has(`${id}`));
  if (added) {
    const others = isAlone(added) ? [] : [...before].filter(([, each]) => !isAlone(each));
    return new Map([...others, [`${added.id}`, added]]);
  }
  return keys.size < before.size ? new Map([...before].filter(([key]) => keys.has(key))) : before;
}
