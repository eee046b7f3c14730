import type { OwnedSensor } from "../../api/admin-sensors.ts";
import type { ChosenRows } from "../../domain/admin-list/chosen-rows.ts";

type ChosenSensors = ChosenRows<OwnedSensor>;

/** Sensors of this type are selected alone. */
const ALONE = "SSH";

const isAlone = ({ deviceType }: OwnedSensor): boolean => deviceType === ALONE;

/** Return the selection after a click on one sensor's checkbox. */
function afterPress(chosen: ChosenSensors, sensor: OwnedSensor): ChosenSensors {
  const id = `${sensor.id}`;
  if (chosen.has(id)) return new Map([...chosen].filter(([each]) => each !== id));
  if (isAlone(sensor)) return new Map([[id, sensor]]);
  return new Map([...[...chosen].filter(([, each]) => !isAlone(each)), [id, sensor]]);
}

/** Return the row whose checkbox was clicked, by the keys before and after; null if none was. */
function pressedKey(before: ChosenSensors, after: ReadonlySet<string>): string | null {
  for (const key of after) if (!before.has(key)) return key;
  for (const key of before.keys()) if (!after.has(key)) return key;
  return null;
}

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
  const key = pressedKey(before, keys);
  if (key === null) return before;
  const sensor = shown.find(({ id }) => `${id}` === key) ?? before.get(key);
  return sensor ? afterPress(before, sensor) : before;
}
