import { useId } from "react";
import { type Contour, landPath, linePath } from "./landscape.ts";
import { SceneCanvas, type SceneProps } from "./scene.tsx";

const W = 800;
const H = 500;
const hills: Contour = {
  y: 168,
  waves: [
    [24, 560, 60],
    [8, 190, 20],
  ],
};
const nearHills: Contour = {
  y: 204,
  waves: [
    [14, 420, 240],
    [4, 80, 0],
  ],
};
const field: Contour = { y: 232, waves: [[4, 900, 0]] };
const bank: Contour = { y: 288, waves: [[5, 640, 80]] };

/** Close view of the gate: a board lifted between two posts, and water flowing through the bank. */
export function WaterGate({ align }: SceneProps) {
  const id = useId();
  return (
    <SceneCanvas
      width={W}
      height={H}
      horizon={260}
      sun={{ x: 620, y: 132, radius: 26 }}
      {...(align ? { align } : {})}
    >
      <defs>
        <linearGradient id={`${id}w`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="var(--scene-water)" />
          <stop offset="0.35" stopColor="var(--scene-water-light)" />
          <stop offset="1" stopColor="var(--scene-water-deep)" />
        </linearGradient>
      </defs>
      <path d={landPath(hills, W, 300)} fill="var(--scene-hill-far)" />
      <path d={landPath(nearHills, W, 300)} fill="var(--scene-hill-mid)" />
      <path d={landPath(field, W, H)} fill="var(--scene-water)" />
      {[10, 20, 31, 43].map((y, i) => (
        <path
          key={y}
          d={linePath(field, 0, W, y)}
          fill="none"
          stroke="var(--scene-shoot)"
          strokeWidth={4 + i * 1.6}
          strokeDasharray={`${1.4 + i * 0.3} ${8 + i * 3}`}
          opacity="0.65"
        />
      ))}
      <path d={landPath(bank, W, H)} fill="var(--scene-field)" />
      <path d={landPath(bank, W, H, 26)} fill="var(--scene-earth)" />
      <path d={landPath(bank, W, H, 92)} fill="var(--scene-earth-deep)" />
      <path
        d={linePath(bank, 0, W, 1)}
        fill="none"
        stroke="var(--scene-shoot)"
        strokeWidth="16"
        strokeDasharray="2 9"
        opacity="0.45"
      />
      <path d="M276 292h184v40l96 168H168l108-168z" fill={`url(#${id}w)`} />
      <path
        d="M300 350c-14 46-40 92-70 132M344 346c-8 52-22 100-42 142M388 344c2 54 8 104 16 148M428 350c10 46 28 92 54 134"
        fill="none"
        stroke="var(--scene-mist)"
        strokeOpacity="0.5"
        strokeWidth="5"
        strokeLinecap="round"
      />
      <path
        d="M196 470c34-12 70-12 104 0s70 12 104 0 70-12 104 0M240 440c26-9 52-9 78 0s52 9 78 0 52-9 78 0"
        fill="none"
        stroke="var(--scene-mist)"
        strokeOpacity="0.55"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <path d="M230 270h46v118l-46 62zM460 270h46v180l-46-62z" fill="var(--scene-stone)" />
      <path d="M230 270h46v14h-46zM460 270h46v14h-46z" fill="var(--scene-mist)" opacity="0.35" />
      <path
        d="M276 284v104l-46 62v-18l34-48V284zM460 284v104l46 62v-18l-34-48V284z"
        fill="var(--scene-stone-deep)"
        opacity="0.5"
      />
      <path d="M272 132h20v198h-20zM444 132h20v198h-20zM252 118h232v24H252z" fill="var(--scene-wood)" />
      <path d="M292 212h152v66H292z" fill="var(--scene-earth)" />
      <path d="M292 212h152v10H292zM292 244h152v6H292z" fill="var(--scene-wood)" opacity="0.55" />
      <path d="M362 74h12v142h-12z" fill="var(--scene-stone-deep)" />
      <circle cx="368" cy="92" r="30" fill="none" stroke="var(--scene-stone-deep)" strokeWidth="8" />
      <path d="M338 92h60M368 62v60" stroke="var(--scene-stone-deep)" strokeWidth="6" />
      <circle cx="368" cy="92" r="8" fill="var(--scene-stone)" />
    </SceneCanvas>
  );
}
