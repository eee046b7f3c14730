import type { Timers } from "../../live/timers.ts";

/** How often it sounds while it wants to be heard, ms. */
export const BEEP_EVERY_MS = 20_000;

/** Sounds at once and again until it is stopped. @returns stops */
export function keepBeeping(timers: Timers, beep: () => void): () => void {
  let cancel: () => void = () => undefined;
  const sound = () => {
    beep();
    cancel = timers.after(BEEP_EVERY_MS, sound);
  };
  sound();
  return () => cancel();
}

/** How long a browser is given to let it sound, ms: it begins every context as suspended, also where it may. */
export const RESUME_WITHIN_MS = 2_000;

/** What of an `AudioContext` is used. */
export interface Audible {
  readonly state: string;
  resume(): Promise<void>;
}

/** Sounds in one context that is kept: browsers allow few of them, and let the one go on that a touch has woken. */
export interface Beeper {
  /** Sounds where the browser lets it, also only after a moment; nothing where it wants the page touched before. */
  beep(): void;
  /** Somebody touches the page: from now on it may sound. */
  touched(): void;
}

export function createBeeper<A extends Audible>(parts: {
  open: () => A;
  play: (audio: A) => void;
  timers: Timers;
}): Beeper {
  const { open, play, timers } = parts;
  let kept: A | null = null;
  let waiting = false;
  const context = (): A => {
    kept ??= open();
    return kept;
  };
  return {
    beep() {
      const audio = context();
      if (audio.state === "running") {
        play(audio);
        return;
      }
      if (waiting) return;
      waiting = true;
      // One that has to be touched first answers with the touch, which may be hours away.
      const cancel = timers.after(RESUME_WITHIN_MS, () => {
        waiting = false;
      });
      audio.resume().then(
        () => {
          cancel();
          if (waiting) play(audio);
          waiting = false;
        },
        () => {
          waiting = false;
        },
      );
    },
    touched() {
      const audio = context();
      // Refused is what it was before.
      if (audio.state !== "running") void audio.resume().catch(() => undefined);
    },
  };
}

/** Wakes it with each touch and key. @returns stops */
export function wakeOnTouch(
  beeper: Beeper,
  page: Pick<Window, "addEventListener" | "removeEventListener">,
): () => void {
  page.addEventListener("pointerdown", beeper.touched);
  page.addEventListener("keydown", beeper.touched);
  return () => {
    page.removeEventListener("pointerdown", beeper.touched);
    page.removeEventListener("keydown", beeper.touched);
  };
}
