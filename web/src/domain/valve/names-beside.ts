import type { SensorValue } from "@mulkko/shared/live/devices";
import { deviceName } from "@mulkko/shared/rules/device-name";
import { valveName } from "@mulkko/shared/rules/valve-name";
import { useCallback } from "react";
import { shallow } from "zustand/shallow";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import type { UnitChannel, ValveUnit } from "./valve-units.ts";

const KINDS = ["sensor.listing"] as const;

/** Words that all names begin and end with; each name has at least one more. */
interface Shared {
  readonly lead: number;
  readonly tail: number;
}

const wordsOf = (name: string): readonly string[] => name.split(/\s+/);

/** Count the words that all names share, from the first word on. */
function countShared(names: readonly (readonly string[])[], most: number): number {
  const [first = []] = names;
  let count = 0;
  while (count < most && names.every((words) => words[count] === first[count])) count += 1;
  return count;
}

function sharedWords(names: readonly (readonly string[])[]): Shared {
  const shortest = Math.min(...names.map(({ length }) => length));
  const lead = countShared(names, shortest - 1);
  const backwards = names.map((words) => words.toReversed());
  return { lead, tail: countShared(backwards, shortest - 1 - lead) };
}

/**
 * Return the names of one controller's valves as they are beside each other, by channel (NAME-1): several
 * names that are borrowed from sensors lose the words that all of them begin or end with.
 */
export function namesBeside(
  channels: readonly UnitChannel[],
  sensors: ReadonlyMap<string, Pick<SensorValue, "info">>,
): ReadonlyMap<string, string> {
  const sensorsOf = ({ value }: UnitChannel) =>
    value.sensorIds.flatMap((id) => sensors.get(`${id}`)?.info ?? []);
  const borrowing = channels.filter((each) => !each.value.name?.trim() && sensorsOf(each).length > 0);
  const names = [...new Set(borrowing.flatMap((each) => sensorsOf(each).map(deviceName)))];
  const short = new Map(channels.map(({ id, name }) => [id, name]));
  if (borrowing.length < 2 || names.length < 2) return short;
  const { lead, tail } = sharedWords(names.map(wordsOf));
  for (const channel of borrowing) {
    const own = sensorsOf(channel).map((info) => {
      const words = wordsOf(deviceName(info));
      return { ...info, name: words.slice(lead, words.length - tail).join(" ") };
    });
    short.set(channel.id, valveName({ sensors: own, controller: { serial: channel.value.serial } }));
  }
  return short;
}

/**
 * Return the names of a controller's valves beside each other, by channel, and follow them; null for a valve
 * that is named after its controller.
 */
export function useNamesBeside({ name, channels }: ValveUnit): ReadonlyMap<string, string | null> {
  return useLiveSelection(
    KINDS,
    useCallback(
      ({ sensors }: LiveFarm): ReadonlyMap<string, string | null> => {
        const short = namesBeside(channels, sensors);
        return new Map(
          channels.map((each) => [each.id, each.name === name ? null : (short.get(each.id) ?? each.name)]),
        );
      },
      [name, channels],
    ),
    shallow,
  );
}
