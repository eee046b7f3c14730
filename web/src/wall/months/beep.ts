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

const TONES_HZ = [880, 660, 880];
const TONE_S = 0.22;

/** Three tones; nothing where the browser lets no page sound before it was touched. */
export function threeTones(): void {
  const audio = new AudioContext();
  const close = () => void audio.close();
  if (audio.state === "suspended") {
    close();
    return;
  }
  TONES_HZ.forEach((frequency, index) => {
    const tone = new OscillatorNode(audio, { frequency, type: "triangle" });
    tone.connect(new GainNode(audio, { gain: 0.4 })).connect(audio.destination);
    const begin = audio.currentTime + index * TONE_S * 1.3;
    tone.start(begin);
    tone.stop(begin + TONE_S);
    if (index === TONES_HZ.length - 1) tone.onended = close;
  });
}
