/** Time after the last touch in which a move still counts as the user's, ms. */
const HAND_MS = 1_500;

const HANDS = ["pointerdown", "pointermove", "touchmove", "dblclick"] as const;

/** Distinguish the user's moves of a chart from moves caused by new data. */
export interface UserMoves {
  /** Return true while the user holds the chart or has just released it. */
  hold(): boolean;
  /** Treat the next move as the user's. */
  touch(): void;
  /** Treat the next move as not the user's. */
  letGo(): void;
  stop(): void;
}

export function watchUserMoves(container: HTMLElement): UserMoves {
  let touchedAt = Number.NEGATIVE_INFINITY;
  const touch = () => {
    touchedAt = performance.now();
  };
  for (const name of HANDS) container.addEventListener(name, touch, { passive: true });
  return {
    hold: () => performance.now() - touchedAt < HAND_MS,
    touch,
    letGo: () => {
      touchedAt = Number.NEGATIVE_INFINITY;
    },
    stop: () => {
      for (const name of HANDS) container.removeEventListener(name, touch);
    },
  };
}
