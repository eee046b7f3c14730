/** Words of a device's status; a will and a birth are free text, and each firmware has its own. */
const WORDS: Readonly<Record<string, boolean>> = {
  ...{ online: true, connected: true, up: true, alive: true, on: true, true: true, "1": true },
  ...{ offline: false, disconnected: false, down: false, dead: false, off: false, false: false, "0": false },
};
/** Members in which a JSON object may state it. */
const MEMBERS = ["online", "connected", "status", "state"] as const;
/** Longest status, bytes. */
const MAX_BYTES = 256;

function wordOf(value: unknown): boolean | null {
  if (typeof value !== "string" && typeof value !== "boolean" && typeof value !== "number") return null;
  const word = String(value).trim().toLowerCase();
  return Object.hasOwn(WORDS, word) ? (WORDS[word] ?? null) : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Read the payload of `status`, a birth or a last will (WILL-1): a word such as `offline`, or a JSON object
 * such as `{"online": false}`. Null for any other, also where the members contradict each other.
 */
export function readStatus(payload: Uint8Array): boolean | null {
  if (payload.byteLength > MAX_BYTES) return null;
  const value = parsed(Buffer.from(payload).toString("utf8").trim());
  if (typeof value !== "object" || value === null) return wordOf(value);
  const stated = MEMBERS.filter((name) => Object.hasOwn(value, name)).map((name) =>
    wordOf(Reflect.get(value, name)),
  );
  const [first = null] = stated;
  return stated.every((one) => one === first) ? first : null;
}
