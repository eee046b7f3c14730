/** The names by which a notification text may refer to a device. */
export interface NameOfDevice {
  readonly key: string;
  readonly name: string | null;
  readonly serial: string;
}

/**
 * Return the device that a notification text refers to. Notifications carry no device id, so the text is
 * matched: first a name before a leading colon, then a serial as a separate word, then a name anywhere. The
 * longest match wins.
 *
 * @returns the device's key; null when no device, or more than one, matches
 */
export function deviceNamedIn(message: string, devices: Iterable<NameOfDevice>): string | null {
  let best: { rank: number; keys: string[] } = { rank: 0, keys: [] };
  for (const { key, name, serial } of devices) {
    const rank = Math.max(nameRank(message, name), serialRank(message, serial));
    if (rank === 0 || rank < best.rank) continue;
    best = { rank, keys: rank > best.rank ? [key] : [...best.keys, key] };
  }
  return best.keys.length === 1 ? (best.keys[0] ?? null) : null;
}

const AT_THE_BEGINNING = 3_000;
const AS_A_SERIAL = 2_000;
const ANYWHERE = 1;

function nameRank(message: string, name: string | null): number {
  if (name === null || name.trim() === "") return 0;
  if (message.startsWith(name) && /^\s*[:：]/.test(message.slice(name.length))) {
    return AT_THE_BEGINNING + name.length;
  }
  return message.includes(name) ? ANYWHERE + name.length : 0;
}

function serialRank(message: string, serial: string): number {
  const digits: readonly string[] = message.match(/\d+/g) ?? [];
  return serial !== "" && digits.includes(serial) ? AS_A_SERIAL : 0;
}
