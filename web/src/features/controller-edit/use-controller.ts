import type { ControllerValue } from "@mulkko/shared/live/devices";
import { useCallback, useState } from "react";
import { byName } from "../../i18n/by-name.ts";
import { type LiveFarm, useLive, useLiveSelection } from "../../live/hooks.ts";

/** Channel stored on the server. */
export interface ServerChannel {
  readonly id: string;
  readonly number: number;
  /** The valve's own name (NAME-1); null if not set. */
  readonly name: string | null;
  readonly sensorIds: readonly string[];
}

const CHANNELS = ["channel"] as const;
const FARMS = ["farm"] as const;

const areSame = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Return a controller's channels with their sensors, kept up to date. */
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
 * Return a controller, kept up to date. After a deletion its last values stay readable.
 *
 * @returns undefined while it is unknown; `gone` after it was deleted
 */
export function useKeptController(id: string): { value: ControllerValue; gone: boolean } | undefined {
  const value = useLive("controller", id);
  const [last, setLast] = useState(value);
  if (value && value !== last) setLast(value);
  const known = value ?? last;
  return known && { value: known, gone: value === undefined };
}

/** Return the account's farms, by name. */
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
