const pad = (number: number, digits = 2): string => String(number).padStart(digits, "0");

/** Return a time since the start of a world as `12:03.250`, minutes and seconds. */
export function worldTime(ms: number): string {
  const whole = Math.max(0, Math.round(ms));
  const minutes = Math.floor(whole / 60_000);
  return `${pad(minutes)}:${pad(Math.floor(whole / 1_000) % 60)}.${pad(whole % 1_000, 3)}`;
}

/** Return a length of time as `4.0 s`. */
export const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** The events of a world, in plain English, one line each. */
export class Story {
  readonly #start: number;
  readonly #now: () => number;
  readonly #lines: string[] = [];

  /** @param now true time, ms */
  constructor(start: number, now: () => number) {
    this.#start = start;
    this.#now = now;
  }

  tell(text: string): void {
    this.#lines.push(`${worldTime(this.#now() - this.#start)}  ${text}`);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** Drop all lines but the last ones. */
  forget(kept: number): void {
    this.#lines.splice(0, this.#lines.length - kept);
  }
}
