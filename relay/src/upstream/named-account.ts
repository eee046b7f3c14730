import { Transform } from "node:stream";
import { Id } from "@mulkko/shared/schema/id";
import { parseJson } from "@mulkko/shared/schema/parse";
import Type from "typebox";

/** Number of bytes of a body that are parsed; an administrator's write about a device is far smaller. */
const PARSED_BYTES = 32 * 1024;

const Named = Type.Object({ userId: Id });
const IN_MULTIPART = /name="userId"\r?\n(?:[^\r\n]+\r?\n)*\r?\n([^\r\n]{1,128})\r?\n/;

/**
 * Return the account that the body of an administrator's write names as a device's owner; null if it names
 * none.
 */
export function accountNamedIn(contentType: string | undefined, body: string): string | null {
  const type = contentType?.toLowerCase() ?? "";
  if (type.startsWith("application/json")) {
    const named = parseJson(Named, body);
    return named.ok ? String(named.value.userId) : null;
  }
  if (type.startsWith("multipart/")) return IN_MULTIPART.exec(body)?.[1] ?? null;
  return new URLSearchParams(body).get("userId") || null;
}

/** Create a pass-through stream that remembers the first bytes. */
export function createBodyMemory(): Transform & { text(): string } {
  const kept: Buffer[] = [];
  let bytes = 0;
  const memory = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (bytes < PARSED_BYTES) kept.push(chunk.subarray(0, PARSED_BYTES - bytes));
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return Object.assign(memory, { text: () => Buffer.concat(kept).toString("utf8") });
}
