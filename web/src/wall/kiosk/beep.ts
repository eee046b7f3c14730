import type { Timers } from "@mulkko/shared/rules/clock";
import { every } from "../every.ts";

const TONES_HZ = [880, 660, 880];
const TONE_S = 0.22;

/** Play three tones. */
export function threeTones(audio: AudioContext): void {
  TONES_HZ.forEach((frequency, index) => {
    const tone = new OscillatorNode(audio, { frequency, type: "triangle" });
    const gain = new GainNode(audio, { gain: 0.4 });
    tone.connect(gain).connect(audio.destination);
    const begin = audio.currentTime + index * TONE_S * 1.3;
    tone.start(begin);
    tone.stop(begin + TONE_S);
    tone.onended = () => gain.disconnect();
  });
}

/** Repetition interval of the alarm sound, ms. */
export const BEEP_EVERY_MS = 20_000;

/** Play at once and repeat until stopped. @returns a function that stops */
export function keepBeeping(timers: Timers, beep: () => void): () => void {
  beep();
  return every(timers, BEEP_EVERY_MS, beep);
}

/** Time for a browser to resume the context, ms: each one starts suspended, even if sound is allowed. */
export const RESUME_WITHIN_MS = 2_000;

/** Used part of an `AudioContext`. */
export interface Audible {
  readonly state: string;
  resume(): Promise<void>;
}

/** Play sounds in one context: browsers allow few of them and resume the one enabled by a touch. */
export function createBeeper<A extends Audible>(open: () => A, play: (audio: A) => void, timers: Timers) {
  let kept: A | null = null;
  let waiting = false;
  const context = (): A => {
    kept ??= open();
    return kept;
  };
  return {
    /** Play if the browser allows it, also after a moment; play nothing if it requires a touch first. */
    beep() {
      const audio = context();
      if (audio.state === "running") {
        play(audio);
        return;
      }
      if (waiting) return;
      waiting = true;
      // A context that needs a touch resumes with the touch, possibly hours later.
      const timeout = timers.after(RESUME_WITHIN_MS, () => {
        waiting = false;
      });
      audio.resume().then(
        () => {
          timeout.cancel();
          if (waiting) play(audio);
          waiting = false;
        },
        () => {
          waiting = false;
        },
      );
    },
    /** Record a touch of the page: from now on sound is allowed. */
    noteTouch() {
      const audio = context();
      // A refusal changes nothing.
      if (audio.state !== "running") void audio.resume().catch(() => undefined);
    },
  };
}

/** Resume the context on each touch and key press. @returns a function that stops */
export function wakeOnTouch(
  { noteTouch }: Pick<ReturnType<typeof createBeeper>, "noteTouch">,
  page: Pick<Window, "addEventListener" | "removeEventListener">,
): () => void {
  page.addEventListener("pointerdown", noteTouch);
  page.addEventListener("keydown", noteTouch);
  return () => {
    page.removeEventListener("pointerdown", noteTouch);
    page.removeEventListener("keydown", noteTouch);
  };
}
