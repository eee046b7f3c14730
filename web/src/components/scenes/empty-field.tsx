import { type Contour, landPath, linePath } from "./landscape.ts";
import { SceneCanvas, type SceneProps } from "./scene.tsx";

const W = 800;
const H = 500;
const far: Contour = {
  y: 210,
  waves: [
    [26, 620, 80],
    [8, 190, 0],
  ],
};
const soil: Contour = { y: 288, waves: [[8, 1000, 200]] };

/** A ploughed field with one seedling in it. */
export function EmptyField({ align }: SceneProps) {
  return (
    <SceneCanvas
      width={W}
      height={H}
      horizon={300}
      sun={{ x: 560, y: 170, radius: 28 }}
      {...(align ? { align } : {})}
    >
      <path d={landPath(far, W, H)} fill="var(--scene-hill-far)" />
      <path d={landPath(soil, W, H)} fill="var(--scene-earth)" />
      {[10, 26, 48, 78, 116, 164].map((y, i) => (
        <path
          key={y}
          d={linePath(soil, 0, W, y)}
          fill="none"
          stroke="var(--scene-earth-deep)"
          strokeWidth={4 + i * 3.2}
          opacity="0.75"
        />
      ))}
      <path d={linePath(soil, 0, W, 0)} fill="none" stroke="var(--scene-field)" strokeWidth="9" />
      <g transform="translate(300 376)">
        <path d="M-30 4c14-16 46-16 60 0z" fill="var(--scene-earth-deep)" />
        <path
          d="M-2 2c-2-26 0-48 4-66"
          fill="none"
          stroke="var(--scene-shoot)"
          strokeWidth="7"
          strokeLinecap="round"
        />
        <path
          d="M2-62c10-34 40-46 72-38-8 34-38 48-72 38zM0-44c-12-28-38-36-62-28 8 26 34 38 62 28z"
          fill="var(--scene-field)"
        />
      </g>
    </SceneCanvas>
  );
}
