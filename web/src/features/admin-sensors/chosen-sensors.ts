import type { ChosenRows } from "../../admin/chosen-rows.ts";
import type { OwnedSensor } from "../../rest/admin-sensors.ts";

type ChosenSensors = ChosenRows<OwnedSensor>;

/** Sensors of this type are chosen alone. */
const ALONE = "SSH";

const isAlone = ({ deviceType }: OwnedSensor): boolean => deviceType === ALONE;

/** What is chosen after a single press on a sensor's box. */
function afterPress(chosen: ChosenSensors, sensor: OwnedSensor): ChosenSensors {
  const id = `${sensor.id}`;
  if (chosen.has(id)) return new Map([...chosen].filter(([each]) => each !== id));
  if (isAlone(sensor)) return new Map([[id, sensor]]);
  return new Map([...[...chosen].filter(([, each]) => !isAlone(each)), [id, sensor]]);
}

/** The row whose box was pressed, by the keys before and after; null where none was. */
function pressedKey(before: ChosenSensors, after: ReadonlySet<string>): string | null {
  for (const key of after) if (!before.has(key)) return key;
  for (const key of before.keys()) if (!after.has(key)) return key;
  return null;
}

/**
 * What is chosen now that these keys are: a sensor of type SSH takes the place of all others, and gives way to any
 * other.
 *
 * @param shown the rows that can have been pressed
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
