import { Transform } from "node:stream";
import { RelayError } from "../plugins/relay-error.ts";

/** Bytes of the largest request body that is passed on. */
export const BODY_LIMITS = { plain: 1024 * 1024, multipart: 6 * 1024 * 1024 } as const;

export function bodyLimitFor(contentType: string | undefined): number {
  return contentType?.toLowerCase().startsWith("multipart/") ? BODY_LIMITS.multipart : BODY_LIMITS.plain;
}

export const tooLarge = (limit: number): RelayError =>
  new RelayError(413, "too-large", `a body may have at most ${limit} bytes`);

/** Passes bytes on as they are until there are too many; then fails with a 413. */
export function createBodyCap(limit: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > limit) done(tooLarge(limit));
      else done(null, chunk);
    },
  });
}
