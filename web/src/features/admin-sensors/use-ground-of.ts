import { useEffect, useState } from "react";
import { groundOfSensors } from "../../devices/placed-ground.ts";
import { fetchSensorsOf } from "../../rest/admin-sensors.ts";
import { useRest } from "../../rest/hooks.ts";
import type { PlacedGround } from "../../ui/map/place-picker-props.ts";

const BARE: PlacedGround = { markers: [], outlines: [] };

/** Return the locations of an account's devices and farms for a form's map; empty until they are known. */
export function useGroundOf(userId: string | null, username: string): PlacedGround {
  const { client } = useRest();
  const [known, setKnown] = useState<{ of: string; ground: PlacedGround } | null>(null);
  useEffect(() => {
    if (userId === null) return;
    const abort = new AbortController();
    fetchSensorsOf(client, { id: userId, username }, abort.signal).then(
      (sensors) => setKnown({ of: userId, ground: groundOfSensors(sensors) }),
      // The map works without them, and the sensor list reports the failure.
      () => undefined,
    );
    return () => abort.abort();
  }, [client, userId, username]);
  return known !== null && known.of === userId ? known.ground : BARE;
}
