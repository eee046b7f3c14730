/** Most reasons that are named of one outage. */
const MOST = 8;

/** Several timeouts detect a silent server, in any order. They count as one reason. */
const SILENCE = /timed? ?out|ETIMEDOUT|max retries per request/i;

/** Return the text of an error; one of several addresses has no message of its own. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error && typeof error.code === "string" ? error.code : error.name);
}

/**
 * Names each reason of an outage once: a connection is tried every second or two, and fails in turns for the same few
 * reasons.
 */
export class OutageReasons {
  readonly #said = new Set<string>();
  readonly #say: (reason: string, error: unknown) => void;

  constructor(say: (reason: string, error: unknown) => void) {
    this.#say = say;
  }

  failed(error: unknown): void {
    const reason = reasonOf(error);
    const kind = SILENCE.test(reason) ? "silence" : reason;
    if (this.#said.has(kind) || this.#said.size >= MOST) return;
    this.#said.add(kind);
    this.#say(reason, error);
  }

  /** Record that it is there again: the next outage names its reasons again. */
  over(): void {
    this.#said.clear();
  }
}
