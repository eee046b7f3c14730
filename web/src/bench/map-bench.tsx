import { STRESS_COLOURS, type StressLevel, stressLevel } from "@mulkko/shared/rules/stress";
import { useEffect, useState } from "react";
import { FarmMap } from "../domain/map/farm-map.tsx";
import { groundOf } from "../domain/map/geometry.ts";
import { type MapMarker, shapeOf } from "../domain/map/marker.tsx";

/** Number of marker updates per second, a share of the markers each time. */
const TICKS = 10;
const ALARMS = [1, 2, 3, 3] as const;
/** A type of each shape. */
const TYPES = ["SMS", "AT", "ATS02", "DRAINAGE", "FMS", "COMPOST", "COT", "OTHER"] as const;
const LEVELS = Object.keys(STRESS_COLOURS).length;

/** Return a number from the address. */
function asked(name: string, otherwise: number): number {
  const value = Number(new URLSearchParams(location.search).get(name) ?? otherwise);
  return Number.isInteger(value) && value >= 0 && value <= 100_000 ? value : otherwise;
}

/** Build a device somewhere in the country; its values follow from `turn`. */
function markerOf(index: number, turn: number): MapMarker {
  const coloured = index % 9 === 0;
  const stress: StressLevel = stressLevel(64 + ((index * 7 + turn * 5) % 37));
  const alarm = (index + turn) % 61 === 0 ? (ALARMS[index % ALARMS.length] ?? null) : null;
  return {
    id: `${index}`,
    latitude: 34.6 + ((index * 7_919) % 3_200) / 1_000,
    longitude: 126.7 + ((index * 104_729) % 2_400) / 1_000,
    shape: shapeOf(TYPES[index % TYPES.length] ?? "SMS"),
    label: `House ${index + 1}`,
    stress: coloured ? stress : null,
    text: coloured ? `${64 + ((index * 7 + turn * 5) % 37)}` : null,
    alarm,
    fresh: index % LEVELS !== 3,
  };
}

/** Show a map with the number of devices in the address: `?page=map&markers=20000&changes=200`. */
export function MapBench() {
  const count = asked("markers", 60);
  const changes = asked("changes", 0);
  const [markers, setMarkers] = useState(() =>
    Array.from({ length: count }, (_, index) => markerOf(index, 0)),
  );
  const [picked, setPicked] = useState<string | null>(null);
  useEffect(() => {
    if (changes === 0 || count === 0) return;
    let turn = 0;
    const timer = setInterval(() => {
      turn += 1;
      setMarkers((before) => {
        const next = [...before];
        for (let each = 0; each < changes / TICKS; each += 1) {
          const index = (turn * 7_907 + each * 131) % count;
          next[index] = markerOf(index, turn);
        }
        return next;
      });
    }, 1_000 / TICKS);
    return () => clearInterval(timer);
  }, [count, changes]);
  return (
    <div style={{ height: "100vh" }}>
      <FarmMap
        label="FarmMap"
        markers={markers}
        outlines={[{ id: "1", name: "Farm", ring: groundOf(markers.slice(0, 4)) }]}
        picked={picked}
        onPick={setPicked}
        focus={null}
      />
    </div>
  );
}
