import type { ReactNode } from "react";
import { FarmLabel } from "./FarmLabel.tsx";
import "./name-line.css";

interface NameLineProps {
  /** Key of the live state: `sensor:…`. */
  about: string;
  name: string;
  /** After the name; left out where it has no room for three letters. */
  measured?: ReactNode;
  /** The farm as one distinguishing word. Default: its whole name. */
  short?: boolean;
}

/** Show farm, name and measurement on one line: each gives way to its beginning, the name last (UI-8). */
export function NameLine({ about, name, measured, short = false }: NameLineProps) {
  return (
    <span className="name-line">
      <span className="name-line__names">
        <FarmLabel about={about} short={short} />
        <span className="name-line__own">{name}</span>
      </span>
      {measured && <span className="name-line__measured">{measured}</span>}
    </span>
  );
}
