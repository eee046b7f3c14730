import { type Contour, contourY, landPath, linePath } from "./landscape.ts";
import { SceneCanvas, type SceneProps } from "./scene.tsx";

const W = 800;
const H = 500;
const far: Contour = {
  y: 190,
  waves: [
    [34, 640, 330],
    [10, 210, 0],
  ],
};
const mid: Contour = {
  y: 236,
  waves: [
    [30, 700, 120],
    [6, 160, 40],
  ],
};
const near: Contour = { y: 300, waves: [[38, 1100, 760]] };
const front: Contour = { y: 398, waves: [[30, 1200, 120]] };

const ROWS = [16, 34, 54, 77, 103, 132, 165, 202];

/** A hillside of crop rows with sensors that send now and then. */
export function SensorHillside({ align }: SceneProps) {
  return (
    <SceneCanvas
      width={W}
      height={H}
      horizon={300}
      sun={{ x: 190, y: 150, radius: 26 }}
      {...(align ? { align } : {})}
    >
      <path d={landPath(far, W, H)} fill="var(--scene-hill-far)" />
      <path d={landPath(mid, W, H)} fill="var(--scene-hill-mid)" />
      <path d={landPath(near, W, H)} fill="var(--scene-field)" />
      {ROWS.map((row, i) => (
        <path
          key={row}
          d={linePath(near, 0, W, row)}
          fill="none"
          stroke="var(--scene-field-deep)"
          strokeWidth={3 + i * 1.2}
          opacity="0.8"
        />
      ))}
      {ROWS.map((row, i) => (
        <path
          key={row}
          d={linePath(near, 0, W, row - 3 - i)}
          fill="none"
          stroke="var(--scene-shoot)"
          strokeWidth={5 + i * 1.4}
          strokeDasharray={`${4 + i} ${5 + i}`}
          strokeLinecap="round"
          opacity="0.55"
        />
      ))}
      <Sensor x={716} contour={near} size={0.62} />
      <Sensor x={330} contour={near} size={0.74} />
      <path d={landPath(front, W, H)} fill="var(--scene-hill-near)" />
      <path
        d={linePath(front, 0, W, 2)}
        fill="none"
        stroke="var(--scene-shoot)"
        strokeWidth="18"
        strokeDasharray="3 8"
        opacity="0.6"
      />
      <Sensor x={520} contour={front} size={1.2} talking />
      <Sensor x={130} contour={front} size={1} />
    </SceneCanvas>
  );
}

function Sensor({
  x,
  contour,
  size,
  talking = false,
}: {
  x: number;
  contour: Contour;
  size: number;
  talking?: boolean;
}) {
  const y = contourY(contour, x) + 12 * size;
  return (
    <g transform={`translate(${x} ${y}) scale(${size})`}>
      <path d="M-3-112h6V0h-6z" fill="var(--scene-ink)" />
      <path d="M-16-92h32v40h-32z" fill="var(--scene-wall)" />
      <path d="M-16-92h32v7h-32z" fill="var(--scene-stone)" />
      <path d="M-8-74h16M-8-66h10" stroke="var(--scene-stone-deep)" strokeWidth="2.5" strokeLinecap="round" />
      <path d="m-30-116 52-16 6 18-52 16z" fill="var(--scene-roof)" />
      <path d="m-13-121 5 18M5-126.500l5 18" stroke="var(--scene-sky-low)" strokeWidth="1.5" opacity="0.6" />
      {talking && (
        <path
          d="M34-92a22 22 0 0 1 0 30M46-102a38 38 0 0 1 0 50M58-112a54 54 0 0 1 0 70"
          fill="none"
          stroke="var(--scene-sun)"
          strokeWidth="4"
          strokeLinecap="round"
        />
      )}
    </g>
  );
}
