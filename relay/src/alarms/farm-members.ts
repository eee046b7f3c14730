import { controllerKey, sensorKey } from "@mulkko/shared/live/keys";
import type { StateValue } from "../ports/streams.ts";
import type { AccountWriter } from "../ports/writer.ts";

/** Which devices belong to which farm: its sensors, and the controllers that are in it or water its sensors. */
export interface FarmMembers {
  changed(key: string, fields: StateValue | undefined): void;
  farmsOf(deviceKey: string): readonly string[];
  membersOf(farmKey: string): readonly string[];
}

const idsOf = (value: unknown, field: string): string[] => {
  if (typeof value !== "object" || value === null) return [];
  const list = Object.entries(value).find(([name]) => name === field)?.[1];
  return Array.isArray(list) ? list.map(String) : [];
};

export function createFarmMembers(writer: Pick<AccountWriter, "get" | "keys">): FarmMembers {
  let known: { members: Map<string, string[]>; farms: Map<string, string[]> } | undefined;

  const look = () => {
    const sets = new Map<string, Set<string>>();
    const waters: { controller: string; sensors: string[] }[] = [];
    for (const key of writer.keys()) {
      const value = writer.get(key);
      if (key.startsWith("farm:")) {
        sets.set(key, new Set(idsOf(value?.info, "sensorIds").map(sensorKey)));
      } else if (key.startsWith("channel:") && value) {
        const controller = controllerKey(String(value.controllerId));
        if (writer.get(controller)) {
          waters.push({ controller, sensors: idsOf(value, "sensorIds").map(sensorKey) });
        }
      }
    }
    for (const { controller, sensors } of waters) {
      for (const set of sets.values()) if (sensors.some((key) => set.has(key))) set.add(controller);
    }
    const members = new Map<string, string[]>();
    const farms = new Map<string, string[]>();
    for (const [farm, set] of sets) {
      members.set(farm, [...set]);
      for (const key of set) farms.set(key, [...(farms.get(key) ?? []), farm]);
    }
    return { members, farms };
  };
  return {
    changed(key, fields) {
      const moves =
        key.startsWith("farm:") ||
        (key.startsWith("channel:") && (fields === undefined || "sensorIds" in fields));
      if (moves) known = undefined;
    },
    farmsOf(deviceKey) {
      known ??= look();
      return known.farms.get(deviceKey) ?? [];
    },
    membersOf(farmKey) {
      known ??= look();
      return known.members.get(farmKey) ?? [];
    },
  };
}
