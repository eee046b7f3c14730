import { type Contour, landPath, linePath } from "./landscape.ts";
import { SceneCanvas, type SceneProps } from "./scene.tsx";

const W = 800;
const H = 500;
const far: Contour = {
  y: 196,
  waves: [
    [40, 560, 250],
    [10, 170, 0],
  ],
};
const mid: Contour = {
  y: 262,
  waves: [
    [18, 480, 40],
    [5, 60, 0],
  ],
};
const yard: Contour = { y: 352, waves: [[10, 900, 300]] };

/** The house at the foot of the hill, with a lamp in its window and a persimmon tree. */
export function FarmHouse({ align }: SceneProps) {
  return (
    <SceneCanvas
      width={W}
      height={H}
      horizon={330}
      sun={{ x: 150, y: 140, radius: 24 }}
      {...(align ? { align } : {})}
    >
      <path d={landPath(far, W, H)} fill="var(--scene-hill-far)" />
      <path d={landPath(mid, W, H)} fill="var(--scene-hill-mid)" />
      <path d={landPath(yard, W, H)} fill="var(--scene-field)" />
      <path d={landPath(yard, W, H, 74)} fill="var(--scene-field-deep)" />
      {[84, 104, 128].map((y, i) => (
        <path
          key={y}
          d={linePath(yard, 0, W, y)}
          fill="none"
          stroke="var(--scene-shoot)"
          strokeWidth={9 + i * 4}
          strokeDasharray={`${5 + i} ${9 + i * 3}`}
          strokeLinecap="round"
          opacity="0.55"
        />
      ))}
      <Tree />
      <path d="M300 366h292v20H300z" fill="var(--scene-stone)" />
      <path d="M316 262h260v106H316z" fill="var(--scene-wall)" />
      <path
        d="M316 262h12v106h-12zM400 262h10v106h-10zM482 262h10v106h-10zM564 262h12v106h-12z"
        fill="var(--scene-wood)"
      />
      <path d="M424 286h46v82h-46z" fill="var(--scene-lamp)" />
      <path d="M447 286v82M424 312h46M424 340h46" stroke="var(--scene-wood)" strokeWidth="3.500" />
      <path d="M344 292h42v42h-42zM506 292h42v42h-42z" fill="var(--scene-lamp)" opacity="0.85" />
      <path d="M365 292v42M344 313h42M527 292v42M506 313h42" stroke="var(--scene-wood)" strokeWidth="3" />
      <path
        d="M262 268c38-10 62-34 84-72 64-10 136-10 200 0 22 38 46 62 84 72-120-14-248-14-368 0z"
        fill="var(--scene-roof)"
      />
      <path d="M338 194c70-14 146-14 216 0l-4 14c-68-12-140-12-208 0z" fill="var(--scene-ink)" />
      <path
        d="M376 206c-12 22-24 40-38 56M412 203c-6 22-12 40-20 58M446 202v58M480 203c6 22 12 40 20 58M516 206c12 22 24 40 38 56"
        fill="none"
        stroke="var(--scene-ink)"
        strokeOpacity="0.35"
        strokeWidth="4"
      />
      <path d="M424 386h46c6 40 30 80 74 114H360c40-34 60-74 64-114z" fill="var(--scene-earth)" />
      <path d="M600 350h40v36h-40zM646 360h30v26h-30z" fill="var(--scene-earth-deep)" />
      <path d="M597 344h46v8h-46zM643 354h36v8h-36z" fill="var(--scene-wood)" />
    </SceneCanvas>
  );
}

function Tree() {
  return (
    <g>
      <path
        d="M196 392c4-40 2-76-4-108l-30-34 8-6 26 26 2-40h10l2 46 30-34 8 7-34 46c-2 34-2 66 2 97z"
        fill="var(--scene-wood)"
      />
      <circle cx="204" cy="206" r="64" fill="var(--scene-hill-near)" />
      <circle cx="150" cy="238" r="40" fill="var(--scene-hill-near)" />
      <circle cx="258" cy="240" r="42" fill="var(--scene-hill-near)" />
      <circle cx="190" cy="184" r="36" fill="var(--scene-field-deep)" opacity="0.7" />
      {[
        [164, 214],
        [196, 232],
        [232, 206],
        [258, 246],
        [142, 250],
        [212, 176],
        [236, 262],
      ].map(([x, y]) => (
        <circle key={`${x}-${y}`} cx={x} cy={y} r="7.5" fill="var(--scene-lamp)" />
      ))}
    </g>
  );
}
