import type { ReactNode } from "react";
import type { Sky } from "./weather-view.ts";

const SUN = (
  <>
    <circle cx="24" cy="24" r="8" />
    <path d="M24 8v4M24 36v4M8 24h4M36 24h4M12.7 12.7l2.8 2.8M32.5 32.5l2.8 2.8M12.7 35.3l2.8-2.8M32.5 15.5l2.8-2.8" />
  </>
);
const MOON = <path d="M35 28.5A13 13 0 1 1 20.5 12 10.5 10.5 0 0 0 35 28.5z" />;
const SMALL_SUN = (
  <path d="M11.5 19.5a7 7 0 0 1 12-5.7M16.5 5.5v2.6M6.5 9.2l1.9 1.9M26.5 9.2l-1.9 1.9M3.5 19h2.7" />
);
const SMALL_MOON = <path d="M12.5 20.5A8 8 0 0 1 15 6.5a6.6 6.6 0 0 0 9 7" />;
const CLOUD = <path d="M15 37a7.5 7.5 0 0 1-.8-15 10 10 0 0 1 19.2-1.6A8.4 8.4 0 0 1 33.5 37z" />;
const HIGH_CLOUD = <path d="M15 31a7.5 7.5 0 0 1-.8-15 10 10 0 0 1 19.2-1.6A8.4 8.4 0 0 1 33.5 31z" />;
const SECOND_CLOUD = <path d="M28.5 12.3a7 7 0 0 1 12.8 3.4 5.6 5.6 0 0 1 1.6 10.5" />;

const DRAWN: Readonly<Record<Sky, (night: boolean) => ReactNode>> = {
  clear: (night) => (night ? MOON : SUN),
  "few-clouds": (night) => (
    <>
      {night ? SMALL_MOON : SMALL_SUN}
      {CLOUD}
    </>
  ),
  clouds: () => CLOUD,
  overcast: () => (
    <>
      {CLOUD}
      {SECOND_CLOUD}
    </>
  ),
  showers: () => (
    <>
      {HIGH_CLOUD}
      <path d="m16 35-2 5M24 35l-2 5M32 35l-2 5" />
    </>
  ),
  rain: () => (
    <>
      {HIGH_CLOUD}
      <path d="M15 35.5c-1.6 2.2-2.2 3-2.2 4a2.2 2.2 0 0 0 4.4 0c0-1-.6-1.8-2.2-4zM24.5 35.5c-1.6 2.2-2.2 3-2.2 4a2.2 2.2 0 0 0 4.4 0c0-1-.6-1.8-2.2-4zM34 35.5c-1.6 2.2-2.2 3-2.2 4a2.2 2.2 0 0 0 4.4 0c0-1-.6-1.8-2.2-4z" />
    </>
  ),
  thunder: () => (
    <>
      {HIGH_CLOUD}
      <path d="m25.5 33-5 6h6l-4 5.5" />
    </>
  ),
  snow: () => (
    <>
      {HIGH_CLOUD}
      <path d="M15.5 36v6M12.9 37.5l5.2 3M18.1 37.5l-5.2 3M31.5 36v6M28.9 37.5l5.2 3M34.1 37.5l-5.2 3" />
    </>
  ),
  mist: () => <path d="M9 16h30M13 23h22M9 30h30M16 37h16" />,
};

/** Drawing of the sky: no image is loaded from the weather service. */
export function SkyIcon({ sky, night, size = 48 }: { sky: Sky; night: boolean; size?: number }) {
  return (
    <svg
      viewBox="0 0 48 48"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="2.25"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      {DRAWN[sky](night)}
    </svg>
  );
}
