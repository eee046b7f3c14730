import { EmptyField } from "../ui/scenes/empty-field.tsx";
import { FarmFromAbove } from "../ui/scenes/farm-from-above.tsx";
import { FarmHouse } from "../ui/scenes/farm-house.tsx";
import { LostLink } from "../ui/scenes/lost-link.tsx";
import { PaddiesAtDawn } from "../ui/scenes/paddies-at-dawn.tsx";
import { SensorHillside } from "../ui/scenes/sensor-hillside.tsx";
import { WaterGate } from "../ui/scenes/water-gate.tsx";

const scenes = { WaterGate, SensorHillside, FarmFromAbove, FarmHouse, EmptyField, LostLink };

/** Show the scenes: the login's background, the dashboard's tiles, the empty states. */
export function SceneSection() {
  return (
    <>
      <div style={{ height: "min(70vh, 40rem)", borderRadius: 12, overflow: "hidden" }}>
        <PaddiesAtDawn />
      </div>
      <div className="gallery__grid" style={{ gridTemplateColumns: "repeat(auto-fill, minmax(20rem, 1fr))" }}>
        {Object.entries(scenes).map(([name, Scene]) => (
          <div key={name} style={{ aspectRatio: "8 / 5", borderRadius: 12, overflow: "hidden" }}>
            <Scene />
          </div>
        ))}
      </div>
    </>
  );
}
