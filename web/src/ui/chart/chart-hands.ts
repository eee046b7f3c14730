/** A chart that moves when nobody has touched it for so long was not moved by a person, ms. */
const HAND_MS = 1_500;

const HANDS = ["pointerdown", "pointermove", "touchmove", "dblclick"] as const;

/** Tells a person's moves of a chart from those that data makes. */
export interface ChartHands {
  /** True while a person has the chart in their hand, or has just let it go. */
  hold(): boolean;
  /** What moves next is not the person's. */
  letGo(): void;
  stop(): void;
}

export function watchHands(container: HTMLElement): ChartHands {
  let touchedAt = Number.NEGATIVE_INFINITY;
  const touch = () => {
    touchedAt = performance.now();
  };
  for (const name of HANDS) container.addEventListener(name, touch, { passive: true });
  return {
    hold: () => performance.now() - touchedAt < HAND_MS,
    letGo: () => {
      touchedAt = Number.NEGATIVE_INFINITY;
    },
    stop: () => {
      for (const name of HANDS) container.removeEventListener(name, touch);
    },
  };
}
