import type { ReactNode } from "react";
import { useDrift } from "./kiosk/use-drift.ts";
import { useViewport } from "./use-viewport.ts";
import { useWallFactor } from "./use-wall-factor.ts";
import "./scenic.css";

/** Window size that the scenes are designed for, CSS px, and the minimum scale on a smaller one. */
const DRAWN = { width: 1920, height: 1080 } as const;
const LEAST = 0.45;

/** A scene with a panel over it, for a screen without a farm to show. */
export function Scenic({ scene, children }: { scene: ReactNode; children: ReactNode }) {
  const { width, height } = useViewport();
  useWallFactor(Math.max(LEAST, Math.min(width / DRAWN.width, height / DRAWN.height)));
  const drift = useDrift();
  return (
    <main className="scenic">
      <div className="scenic__scene" style={drift}>
        {scene}
      </div>
      <div className="scenic__panel" style={drift}>
        {children}
      </div>
    </main>
  );
}
