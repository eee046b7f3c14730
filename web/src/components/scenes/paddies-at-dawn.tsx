import { useId } from "react";
import { type Contour, contourY, landPath, linePath } from "./landscape.ts";
import { SceneCanvas, type SceneProps } from "./scene.tsx";

const W = 1600;
const H = 1000;
const SUN = { x: 985, y: 395, radius: 46 };

const farHills: Contour = {
  y: 408,
  waves: [
    [44, 900, 120],
    [16, 330, 40],
    [5, 120, 0],
  ],
};
const midHills: Contour = {
  y: 462,
  waves: [
    [34, 720, 420],
    [12, 260, 0],
    [4, 90, 30],
  ],
};
const trees: Contour = {
  y: 524,
  waves: [
    [14, 800, 260],
    [7, 74, 0],
    [4, 31, 10],
  ],
};

/** Terraces from far to near: each has a bank, and water with seedlings below it. */
const terraces: readonly { contour: Contour; bank: number; rows: readonly number[]; ink: number }[] = [
  { contour: { y: 552, waves: [[6, 1300, 100]] }, bank: 5, rows: [9, 16], ink: 3 },
  { contour: { y: 580, waves: [[9, 1100, 520]] }, bank: 6, rows: [12, 21], ink: 4 },
  { contour: { y: 615, waves: [[13, 1250, 860]] }, bank: 9, rows: [16, 28, 39], ink: 6 },
  { contour: { y: 668, waves: [[18, 1400, 300]] }, bank: 12, rows: [22, 38, 53], ink: 8 },
  { contour: { y: 742, waves: [[24, 1500, 760]] }, bank: 17, rows: [30, 52, 74], ink: 12 },
  { contour: { y: 846, waves: [[30, 1700, 120]] }, bank: 24, rows: [44, 76, 110], ink: 17 },
];

/** Banks between neighbouring terraces: terrace, x above, x below. */
const crossings: readonly (readonly [terrace: number, above: number, below: number])[] = [
  [0, 420, 380],
  [0, 1130, 1160],
  [1, 690, 670],
  [1, 1390, 1440],
  [2, 270, 190],
  [2, 980, 1000],
  [3, 620, 560],
  [3, 1320, 1390],
  [4, 240, 120],
  [4, 930, 960],
];

/** Terraced paddies under a rising sun, flooded, with one gate open: the login's background. */
export function PaddiesAtDawn({ align }: SceneProps) {
  const id = useId();
  return (
    <SceneCanvas width={W} height={H} horizon={560} sun={SUN} align={align ?? "xMidYMax"}>
      <defs>
        <linearGradient id={`${id}w`} x1="0" x2="1" y1="0" y2="0">
          <stop offset="0" stopColor="var(--scene-water-deep)" />
          <stop offset="0.36" stopColor="var(--scene-water)" />
          <stop offset="0.62" stopColor="var(--scene-water-light)" />
          <stop offset="0.82" stopColor="var(--scene-water)" />
          <stop offset="1" stopColor="var(--scene-water-deep)" />
        </linearGradient>
        <linearGradient id={`${id}m`} x1="0" x2="0" y1="0" y2="1">
          <stop offset="0" stopColor="var(--scene-mist)" stopOpacity="0" />
          <stop offset="0.5" stopColor="var(--scene-mist)" stopOpacity="0.42" />
          <stop offset="1" stopColor="var(--scene-mist)" stopOpacity="0" />
        </linearGradient>
      </defs>
      <path d={landPath(farHills, W, 620)} fill="var(--scene-hill-far)" />
      <path d={landPath(midHills, W, 620)} fill="var(--scene-hill-mid)" />
      <rect y="430" width={W} height="130" fill={`url(#${id}m)`} />
      <path d={landPath(trees, W, 620)} fill="var(--scene-hill-near)" />
      {terraces.map(({ contour, bank, rows, ink }, index) => (
        <g key={contour.y}>
          <path d={landPath(contour, W, H)} fill="var(--scene-field-deep)" />
          <path
            d={linePath(contour, 0, W, 1)}
            fill="none"
            stroke="var(--scene-field)"
            strokeWidth={bank * 0.6}
          />
          <path d={landPath(contour, W, H, bank)} fill={`url(#${id}w)`} />
          {rows.map((row, at) => (
            <path
              key={row}
              d={linePath(contour, 0, W, bank + row)}
              fill="none"
              stroke="var(--scene-shoot)"
              strokeWidth={ink * (0.75 + at * 0.18)}
              strokeDasharray={`${1 + ink * 0.13} ${ink * (1.6 + at * 0.25)}`}
              strokeDashoffset={row * 3 + index * 7}
              opacity={0.5 + index * 0.06}
            />
          ))}
        </g>
      ))}
      {crossings.map(([terrace, above, below]) => {
        const upper = terraces[terrace];
        const lower = terraces[terrace + 1];
        if (!upper || !lower) return null;
        const y1 = contourY(upper.contour, above) + upper.bank;
        const y2 = contourY(lower.contour, below) + 2;
        const half = upper.bank * 0.8;
        return (
          <path
            key={above}
            d={`M${above - half} ${y1}H${above + half}L${below + half * 1.6} ${y2}H${below - half * 1.6}Z`}
            fill="var(--scene-field)"
          />
        );
      })}
      <Gate />
    </SceneCanvas>
  );
}

/** The mulkko: an opening in the bank with its board lifted and water flowing through. */
function Gate() {
  return (
    <g transform="translate(860 874)">
      <path d="M-34 2c20-8 48-8 68 0l26 62c-36 14-84 14-120 0z" fill="var(--scene-water-light)" />
      <path
        d="M-22 14c-3 16-8 32-14 46M0 12v52M22 14c3 16 8 32 14 46"
        fill="none"
        stroke="var(--scene-water-deep)"
        strokeWidth="2.5"
        strokeLinecap="round"
        opacity="0.7"
      />
      <path d="M-46-46h12v56h-12zM34-46h12v56H34zM-54-54H54v11H-54z" fill="var(--scene-wood)" />
      <path d="M-32-40h64v22h-64z" fill="var(--scene-earth)" />
      <path d="M-4-74h8v36h-8z" fill="var(--scene-wood)" />
    </g>
  );
}
