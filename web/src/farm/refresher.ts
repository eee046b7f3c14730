/** What a refresher needs of time. */
export interface RefresherTime {
  /** ms on a clock that never jumps. */
  now(): number;
  /** @returns calls it off */
  after(ms: number, run: () => void): () => void;
}

export interface RefresherOptions<Answer> {
  readonly ask: (signal: AbortSignal) => Promise<Answer>;
  readonly onAnswer: (answer: Answer) => void;
  /** What failed; the next change, or the next round, asks again. */
  readonly onFailure: (error: unknown) => void;
  /** Least time between the begins of two questions, ms, however often something changes. */
  readonly restMs: number;
  /** It is asked anew after this time, ms, though nothing has changed. */
  readonly roundMs: number;
  readonly time: RefresherTime;
}

/** Asks again when something has changed, but never all the time. */
export interface Refresher {
  /** Something has changed: asks soon, or as soon as it may. */
  changed(): void;
  /** A person wants it now. */
  again(): void;
  stop(): void;
}

/** What changes together is told together: ms until a change is asked about. */
const GATHER_MS = 400;

/** The first rest, ms; each further one is so many times longer, up to the least time between two questions. */
const FIRST_REST_MS = 2_000;
const REST_GROWS = 5;

/**
 * Begins by asking at once, often before everything is there that the answer is made of: what changes soon after is
 * asked about soon, what goes on changing at ever longer rests. A question that is under way when the next one begins is called off.
 */
export function createRefresher<Answer>(options: RefresherOptions<Answer>): Refresher {
  const { ask, onAnswer, onFailure, restMs, roundMs, time } = options;
  let asking: AbortController | null = null;
  let asked = Number.NEGATIVE_INFINITY;
  let questions = 0;
  let callOff: (() => void) | null = null;
  let due = Number.POSITIVE_INFINITY;
  let stopped = false;

  const plan = (ms: number): void => {
    const at = time.now() + ms;
    if (stopped || at >= due) return;
    callOff?.();
    due = at;
    callOff = time.after(ms, () => void run());
  };
  const run = async (): Promise<void> => {
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    asked = time.now();
    questions += 1;
    due = Number.POSITIVE_INFINITY;
    callOff?.();
    callOff = null;
    plan(roundMs);
    try {
      const answer = await ask(mine.signal);
      if (asking === mine && !stopped) onAnswer(answer);
    } catch (error) {
      if (asking === mine && !stopped) onFailure(error);
    }
  };
  const rest = (): number => Math.min(restMs, FIRST_REST_MS * REST_GROWS ** (questions - 1));
  void run();
  return {
    changed: () => plan(Math.max(GATHER_MS, asked + rest() - time.now())),
    again: () => void run(),
    stop() {
      stopped = true;
      callOff?.();
      asking?.abort();
    },
  };
}
