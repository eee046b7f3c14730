import type { ControllerValue } from "@mulkko/shared/live/devices";
import { useCallback, useState } from "react";
import { byName } from "../../farm/by-name.ts";
import { type LiveFarm, useLive, useLiveSelection } from "../../live/hooks.ts";

/** A channel that the server has. */
export interface ServerChannel {
  readonly id: string;
  readonly number: number;
  /** Its valve's own name (NAME-1); null where none is set. */
  readonly name: string | null;
  readonly sensorIds: readonly string[];
}

const CHANNELS = ["channel"] as const;
const FARMS = ["farm"] as const;

const areSame = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A controller's channels with the sensors that sit on them, followed. */
export function useServerChannels(controllerId: string): readonly ServerChannel[] {
  return useLiveSelection(
    CHANNELS,
    useCallback(
      ({ channels }: LiveFarm) =>
        [...channels]
          .filter(([, { controllerId: owner }]) => `${owner}` === controllerId)
          .map(([id, { number, name, sensorIds }]) => ({
            id,
            number,
            name: name ?? null,
            sensorIds: sensorIds.map(String),
          }))
          .sort((a, b) => a.number - b.number),
      [controllerId],
    ),
    areSame,
  );
}

/**
 * A controller, followed; one that is deleted while somebody edits it stays readable.
 *
 * @returns undefined while it is not known; `gone` once it is not there any more
 */
export function useKeptController(id: string): { value: ControllerValue; gone: boolean } | undefined {
  const value = useLive("controller", id);
  const [kept, setKept] = useState(value);
  if (value && value !== kept) setKept(value);
  const known = value ?? kept;
  return known && { value: known, gone: value === undefined };
}

/** The account's farms, by name. */
export function useFarmChoices(): readonly { readonly id: string; readonly name: string }[] {
  return useLiveSelection(
    FARMS,
    useCallback(
      ({ farms }: LiveFarm) => [...farms].map(([id, { info }]) => ({ id, name: info.name })).sort(byName),
      [],
    ),
    areSame,
  );
}
