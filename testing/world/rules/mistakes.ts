/** Names of errors that only a mistake in the code itself makes. */
const MISTAKES = /"type":"(TypeError|ReferenceError|RangeError)","message":"((?:[^"\\]|\\.)*)"/;
/** Message of the TypeError by which Node names a broken line. */
const BROKEN_LINE = "fetch failed";

/** W-15: return the mistake that a line of a log names; null for any other line. */
export function mistakeIn(line: string): string | null {
  const [, type, message] = MISTAKES.exec(line) ?? [];
  if (type === undefined || message === undefined || message.startsWith(BROKEN_LINE)) return null;
  return `${type}: ${message}`;
}
