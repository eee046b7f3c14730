import type { Timers } from "@mulkko/shared/rules/clock";

/** Something that is created for its users, and closed some time after the last of them has left. */
export interface Held<T> {
  /** Rejects if it cannot be created. */
  readonly created: Promise<T>;
  /** Set once it is created. */
  readonly made: T | undefined;
  /** True while nothing needs it. */
  readonly isUnused: boolean;
  /** Run work with it; it stays open meanwhile, and for a while afterwards. */
  use<Result>(work: (one: T) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** ms for which it is kept after its last user has left. */
const LINGER_MS = 60_000;

export function createHeld<T extends { close(): Promise<void> }>(deps: {
  create: () => Promise<T>;
  /** Return true while it must not be closed. */
  isNeeded: (one: T) => boolean;
  /** Return true while it stays although nothing needs it. */
  isKept?: () => boolean;
  /** Called when it is about to be closed, or could not be created. */
  onGone: () => void;
  onError: (error: unknown) => void;
  timers: Timers;
}): Held<T> {
  const { create, isNeeded, isKept, onGone, onError, timers } = deps;
  let made: T | undefined;
  let uses = 0;
  let closing: Promise<void> | undefined;
  let timer: { cancel(): void } | undefined;

  const isUnused = (): boolean => uses === 0 && made !== undefined && !isNeeded(made);
  const finish = async (): Promise<void> => {
    timer?.cancel();
    onGone();
    const one = await created.catch(() => undefined);
    await one?.close();
  };
  const close = (): Promise<void> => {
    closing ??= finish();
    return closing;
  };
  const linger = (): void => {
    timer?.cancel();
    if (closing) return;
    timer = timers.after(LINGER_MS, () => {
      if (isUnused() && !isKept?.()) close().catch(onError);
      else linger();
    });
  };
  const created = create();
  created.then(
    (one) => {
      made = one;
    },
    () => {
      if (closing) return;
      closing = Promise.resolve();
      timer?.cancel();
      onGone();
    },
  );
  linger();
  return {
    created,
    get made() {
      return made;
    },
    get isUnused() {
      return isUnused();
    },
    async use(work) {
      uses += 1;
      try {
        return await work(await created);
      } finally {
        uses -= 1;
        linger();
      }
    },
    close,
  };
}
