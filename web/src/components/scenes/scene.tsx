import { type ReactNode, useId } from "react";
import "./scenes.css";

export interface SceneProps {
  /** Part that stays visible in other aspect ratios: `xMidYMid`, `xMidYMax`, … */
  align?: string;
}

export interface CanvasProps extends SceneProps {
  width: number;
  height: number;
  /** Lower edge of the sky, as a share of the height. */
  horizon: number;
  /** Position and size of the sun. */
  sun?: { x: number; y: number; radius: number };
  children: ReactNode;
}

/** Sky and sun of every scene; decorative, so hidden from screen readers. Colours are CSS variables. */
export function SceneCanvas({ width, height, horizon, sun, align = "xMidYMid", children }: CanvasProps) {
  const id = useId();
  return (
    <svg
      className="scene"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio={`${align} slice`}
      aria-hidden
    >
      <defs>
        <linearGradient id={`${id}sky`} x1="0" y1="0" x2="0" y2={horizon} gradientUnits="userSpaceOnUse">
          <stop offset="0" stopColor="var(--scene-sky-top)" />
          <stop offset="0.62" stopColor="var(--scene-sky-mid)" />
          <stop offset="1" stopColor="var(--scene-sky-low)" />
        </linearGradient>
        <radialGradient id={`${id}glow`}>
          <stop offset="0" stopColor="var(--scene-sun-glow)" stopOpacity="0.9" />
          <stop offset="0.3" stopColor="var(--scene-sun-glow)" stopOpacity="0.5" />
          <stop offset="0.65" stopColor="var(--scene-sun-glow)" stopOpacity="0.14" />
          <stop offset="1" stopColor="var(--scene-sun-glow)" stopOpacity="0" />
        </radialGradient>
      </defs>
      <rect width={width} height={height} fill={`url(#${id}sky)`} />
      {sun && <circle cx={sun.x} cy={sun.y} r={sun.radius * 7} fill={`url(#${id}glow)`} />}
      {sun && <circle cx={sun.x} cy={sun.y} r={sun.radius} fill="var(--scene-sun)" />}
      {children}
    </svg>
  );
}
