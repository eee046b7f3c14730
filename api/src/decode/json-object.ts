import type { RejectReason } from "@mulkko/shared/rest/dead-letter";

/** Largest message of a device, bytes. */
export const MAX_MESSAGE_BYTES = 64 * 1024;

const STRINGS_AND_NANS = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

type Read =
  | { readonly ok: true; readonly object: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly reason: RejectReason };

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Some devices write NaN, which JSON lacks.
    return JSON.parse(text.replace(STRINGS_AND_NANS, (token) => (token.startsWith('"') ? token : "null")));
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parse a device's payload as a JSON object; a bare NaN becomes null. */
export function readJsonObject(payload: Uint8Array): Read {
  if (payload.byteLength > MAX_MESSAGE_BYTES) return { ok: false, reason: "too-large" };
  try {
    const value = parseText(Buffer.from(payload).toString("utf8"));
    return isObject(value) ? { ok: true, object: value } : { ok: false, reason: "wrong-type" };
  } catch {
    return { ok: false, reason: "not-json" };
  }
}
