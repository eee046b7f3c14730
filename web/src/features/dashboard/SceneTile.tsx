import type { ReactNode } from "react";
import { Link } from "react-router-dom";

export interface SceneTileProps {
  to: string;
  /** Target address of the tile. */
  caption: string;
  scene: ReactNode;
  /** The current state, in one or two lines. */
  children: ReactNode;
}

/** One of the four large tiles: a drawn scene, what is so now, and where it leads. */
export function SceneTile({ to, caption, scene, children }: SceneTileProps) {
  return (
    <Link className="scene-tile" data-testid="scene-tile" to={to}>
      <span className="scene-tile__scene">{scene}</span>
      <span className="scene-tile__text">
        <span className="scene-tile__caption">{caption}</span>
        <span className="scene-tile__now">{children}</span>
      </span>
    </Link>
  );
}
