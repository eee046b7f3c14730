import type { ReactNode } from "react";

/** Line drawing of 96 by 64 units: ink, land in green, water in blue. */
function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 96 64" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
      {children}
    </svg>
  );
}

const Ground = () => <path className="add__ground" d="M0 52c14-5 28-6 44-3s34 3 52-2v17H0Z" stroke="none" />;

export const AddFarm = () => (
  <Drawing>
    <Ground />
    <path d="M22 50V32l14-11 14 11v18M31 50V40h10v10" strokeLinejoin="round" />
    <path
      d="M58 50c2-9 6-13 6-13s4 4 6 13M64 37v13M74 49c1-6 4-9 4-9s3 3 4 9M78 40v9"
      strokeLinecap="round"
    />
    <path d="M80 10v14M73 17h14" strokeLinecap="round" />
  </Drawing>
);

export const AddSensor = () => (
  <Drawing>
    <Ground />
    <path d="M42 50V30h12v20M45 50v9M51 50v9" strokeLinecap="round" strokeLinejoin="round" />
    <path d="M40 22a11 11 0 0 1 16 0M35 17a18 18 0 0 1 26 0" strokeLinecap="round" />
    <path d="M46 37h4" strokeLinecap="round" />
    <path d="M80 10v14M73 17h14" strokeLinecap="round" />
  </Drawing>
);

export const AddValves = () => (
  <Drawing>
    <Ground />
    <path className="add__water" d="M12 40h20M64 40h22" strokeWidth="4" strokeLinecap="round" />
    <path d="M34 30l28 20V30L34 50Z" strokeLinejoin="round" />
    <path d="M48 40V26M40 26h16" strokeLinecap="round" />
    <path d="M80 10v14M73 17h14" strokeLinecap="round" />
  </Drawing>
);

export const RemoveFarm = () => (
  <Drawing>
    <Ground />
    <path d="M30 50V32l14-11 14 11v18M39 50V40h10v10" strokeLinejoin="round" strokeDasharray="4 4" />
    <path d="M73 17h14" strokeLinecap="round" />
  </Drawing>
);
