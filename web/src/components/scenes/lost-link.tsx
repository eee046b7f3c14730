import { type Contour, landPath } from "./landscape.ts";
import { SceneCanvas, type SceneProps } from "./scene.tsx";

const W = 800;
const H = 500;
const far: Contour = {
  y: 268,
  waves: [
    [30, 680, 300],
    [8, 200, 0],
  ],
};
const near: Contour = { y: 372, waves: [[16, 900, 120]] };

/** Two poles with a broken wire: the connection is lost. */
export function LostLink({ align }: SceneProps) {
  return (
    <SceneCanvas width={W} height={H} horizon={380} {...(align ? { align } : {})}>
      <path
        d="M120 120c20-26 62-26 80 2 30-8 54 12 52 38H96c-8-22 4-38 24-40zM520 80c16-20 48-20 62 2 24-6 42 10 40 30H502c-6-18 2-30 18-32z"
        fill="var(--scene-mist)"
        opacity="0.5"
      />
      <path d={landPath(far, W, H)} fill="var(--scene-hill-far)" />
      <path d={landPath(near, W, H)} fill="var(--scene-hill-mid)" />
      <path
        d="M206 168c40 50 84 92 112 168 6 22 2 30-8 34"
        fill="none"
        stroke="var(--scene-ink)"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <path
        d="M594 168c-30 40-54 60-66 104-4 20-2 34 6 44"
        fill="none"
        stroke="var(--scene-ink)"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <Pole x={206} />
      <Pole x={594} />
      <path d="M0 430c140-18 280-18 400-4s260 14 400-4v78H0z" fill="var(--scene-hill-near)" />
    </SceneCanvas>
  );
}

function Pole({ x }: { x: number }) {
  return (
    <g transform={`translate(${x} 0)`}>
      <path d="M-6 140H6v300H-6zM-44 160h88v10h-88z" fill="var(--scene-wood)" />
      <path d="M-38 148h8v14h-8zM30 148h8v14h-8z" fill="var(--scene-stone-deep)" />
    </g>
  );
}
