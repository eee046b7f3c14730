/** Bounds, ms. */
export const BOUNDS = {
  /** W-1: from a report's arrival at the API to the screens. */
  shownMs: 3_000,
  /** W-1: how long a screen stays live after the way to it broke. */
  liveMs: 25_000,
  /** W-1: from the moment in which the whole way is well again. */
  againMs: 8_000,
  /** W-1: from the moment in which a page wakes: it draws nothing as live before it has asked (LIVE-1). */
  wakeMs: 1_000,
  /** W-2: from the press to the valve: the 15 s in which it may be sent, and the 10 s of CMD-4 for its device's clock. */
  openMs: 25_000,
  /** W-2: from the press to the last moment in which the relay sends it to the farm API (CMD-4). */
  sentMs: 15_000,
  /** W-3: from the moment in which every line on the way to the valve is well. */
  closeMs: 45_000,
  /** W-4: from the end of the run to the alarm, with the way to the screen. */
  alarmMs: 65_000,
  /**
   * W-6: from the moment in which the way from a form to the stores is whole: a call that waits ends after 20 s, the next
   * one begins 10 s later, and its answer or report comes within 8 s (CMD-19).
   */
  saveKnownMs: 40_000,
  /**
   * W-6: the same for a creation: the farm API takes a call that ended with its process for given up after 35 s, the next
   * one begins 10 s later, and waits for 5 s (CMD-20).
   */
  createdKnownMs: 60_000,
  /** W-6: from a store to every live screen. */
  saveShownMs: 15_000,
  /** W-6: the same where a trouble may have lost the report of it: the lists are read each minute (POLL-1). */
  saveReadMs: 73_000,
  /** W-8: for which the way from the farm API to the valve was well before a planned start. */
  startMs: 20_000,
  /** W-10: from the end of a person's sessions, and from the moment in which the way is well. */
  outMs: 12_000,
  /** W-12: from the last fault and the last deed of a person to a screen on which everything is live, true and quiet. */
  quietMs: 120_000,
  /** W-12: what a suspended wall may take to continue: the relay looks each minute, and the wall, too. */
  wallMs: 65_000,
  /** W-12: time that the end of a run may take, with the report of it. */
  turnMs: 20_000,
} as const;

/** Bounds where the farm API's clock is or was wrong, ms: the relay knows it to 3 s. */
export const CLOCK_BOUNDS: Bounds = { ...BOUNDS, alarmMs: BOUNDS.alarmMs + 3_000 };

/** Bounds of a world, ms. */
export type Bounds = Readonly<Record<keyof typeof BOUNDS, number>>;
