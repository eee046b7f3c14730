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
