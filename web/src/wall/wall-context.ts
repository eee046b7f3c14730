import type { DisplaySettings } from "@mulkko/shared/rest/displays";
import { createContext, useContext } from "react";
import { createTimeTexts, type TimeTexts } from "../domain/time/time-texts.ts";

/** Context of all components of a paired screen. */
export interface WallPlace {
  readonly settings: DisplaySettings;
  readonly texts: TimeTexts;
  /** Factor for every size, see `sizes.ts`. */
  readonly factor: number;
  /** True if elements are closer together, see `sizes.ts`. */
  readonly tight: boolean;
  /** True if what is a row elsewhere stands in several lines, see `sizes.ts`. */
  readonly narrow: boolean;
}

export const WallContext = createContext<WallPlace | null>(null);

export function useWall(): WallPlace {
  const wall = useContext(WallContext);
  if (!wall) throw new Error("a part of the wall needs a WallContext around it");
  return wall;
}

/** @param zone null: not known yet */
export const wallTexts = (language: string, zone: string | null): TimeTexts =>
  createTimeTexts(language, zone ?? "Asia/Seoul");

/** Props of a page: the number of laps, so that it can show another part of an overlong list. */
export interface WallPageProps {
  readonly lap: number;
}
