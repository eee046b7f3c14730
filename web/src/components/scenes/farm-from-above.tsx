import { useId } from "react";
import { SceneCanvas, type SceneProps } from "./scene.tsx";

const fields: readonly { d: string; fill: string; angle: number }[] = [
  { d: "M0 0h238l-26 148L0 176z", fill: "field", angle: 12 },
  { d: "M252 0h196l-4 128-218 20z", fill: "hill-mid", angle: 84 },
  { d: "M462 0h338v92l-342 34z", fill: "field-deep", angle: -6 },
  { d: "M0 190l210-30-32 178L0 372z", fill: "water", angle: -9 },
  { d: "M224 160l220-20-8 158-244 38z", fill: "field", angle: -8 },
  { d: "M458 138l342-34v150l-350 42z", fill: "field", angle: 78 },
  { d: "M0 386l176-34-26 148H0z", fill: "field-deep", angle: 10 },
  { d: "M190 350l246-38-10 188H164z", fill: "hill-near", angle: 82 },
  { d: "M450 310l350-42v232H440z", fill: "water", angle: -7 },
];

export interface FarmFromAboveProps extends SceneProps {
  /** False hides the drawn pins where the page places real ones. */
  pins?: boolean;
}

/** Aerial view of the farm: fields, two paddies, a stream and the sensors. */
export function FarmFromAbove({ align, pins = true }: FarmFromAboveProps) {
  const id = useId();
  return (
    <SceneCanvas width={800} height={500} horizon={500} {...(align ? { align } : {})}>
      <rect width="800" height="500" fill="var(--scene-earth)" />
      {fields.map(({ d, fill, angle }, index) => (
        <g key={d}>
          <clipPath id={`${id}${index}`}>
            <path d={d} />
          </clipPath>
          <path d={d} fill={`var(--scene-${fill})`} />
          <g clipPath={`url(#${id}${index})`}>
            <path
              d={Array.from({ length: 44 }, (_, row) => `M-400 ${-300 + row * 26}h1600`).join("")}
              transform={`rotate(${angle} 400 250)`}
              stroke="var(--scene-shoot)"
              strokeWidth="7"
              strokeDasharray={fill === "water" ? "3 14" : "26 5"}
              opacity={fill === "water" ? 0.5 : 0.28}
            />
          </g>
        </g>
      ))}
      <path
        d="M-20 262c120-30 190 26 300 4s170-96 290-92 150 60 250 36"
        fill="none"
        stroke="var(--scene-field-deep)"
        strokeWidth="44"
      />
      <path
        d="M-20 262c120-30 190 26 300 4s170-96 290-92 150 60 250 36"
        fill="none"
        stroke="var(--scene-water-deep)"
        strokeWidth="30"
      />
      <path
        d="M-20 258c120-30 190 26 300 4s170-96 290-92 150 60 250 36"
        fill="none"
        stroke="var(--scene-water-light)"
        strokeWidth="6"
        strokeDasharray="90 50"
        strokeLinecap="round"
        opacity="0.7"
      />
      {pins && (
        <>
          <Pin x={330} y={214} />
          <Pin x={604} y={118} />
          <Pin x={124} y={330} />
          <Pin x={640} y={396} />
        </>
      )}
    </SceneCanvas>
  );
}

function Pin({ x, y }: { x: number; y: number }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <ellipse cx="0" cy="2" rx="16" ry="6" fill="var(--scene-ink)" opacity="0.35" />
      <path d="M0 0c-14-20-22-31-22-44a22 22 0 0 1 44 0c0 13-8 24-22 44z" fill="var(--scene-pin)" />
      <circle cx="0" cy="-44" r="9" fill="var(--scene-water-light)" />
    </g>
  );
}
