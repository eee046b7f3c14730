import type { DisplaySettings } from "@mulkko/shared/rest/displays";
import { createContext, useContext } from "react";
import { createTimeWords, type TimeWords } from "../farm/time-words.ts";

/** What every part of a paired screen may want to know. */
export interface WallPlace {
  readonly settings: DisplaySettings;
  readonly words: TimeWords;
  /** For every size, see `sizes.ts`. */
  readonly factor: number;
  /** Everything stands closer, see `sizes.ts`. */
  readonly tight: boolean;
}

export const WallContext = createContext<WallPlace | null>(null);

export function useWall(): WallPlace {
  const wall = useContext(WallContext);
  if (!wall) throw new Error("a part of the wall needs a WallContext around it");
  return wall;
}

/** @param zone null: not yet known */
export const wallWords = (language: string, zone: string | null): TimeWords =>
  createTimeWords(language, zone ?? "Asia/Seoul");
