import { Readable } from "node:stream";
import { PARSED_BYTES } from "./named-in-body.ts";
import { RelayError } from "./relay-error.ts";

/** Size limit of a proxied request body, bytes. */
export const BODY_LIMITS = { plain: 1024 * 1024, multipart: 6 * 1024 * 1024 } as const;

export function bodyLimitFor(contentType: string | undefined): number {
  return contentType?.toLowerCase().startsWith("multipart/") ? BODY_LIMITS.multipart : BODY_LIMITS.plain;
}

export const tooLarge = (limit: number): RelayError =>
  new RelayError(413, "too-large", `the body exceeds ${limit} bytes`);

/** A body whose client has disconnected before its end. */
export class CutBodyError extends Error {
  override readonly name = "CutBodyError";
}

/**
 * Receive a body completely before it is passed on, so that a slow one occupies no connection to the farm API.
 *
 * @returns the body, and its first {@link PARSED_BYTES} as text
 * @throws RelayError 413 · CutBodyError
 */
export function readWhole(body: Readable, limit: number): Promise<{ whole: Readable; head: string }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (): void => {
      body.off("data", onChunk).off("end", finish).off("error", fail).off("close", cut);
    };
    const fail = (error: Error): void => {
      stop();
      reject(error);
    };
    const cut = (): void => fail(new CutBodyError("the body is incomplete"));
    const finish = (): void => {
      stop();
      const head = Buffer.concat(chunks, Math.min(size, PARSED_BYTES)).toString("utf8");
      resolve({ whole: Readable.from(chunks, { objectMode: false }), head });
    };
    const onChunk = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > limit) fail(tooLarge(limit));
    };
    body.on("data", onChunk).on("end", finish).on("error", fail).on("close", cut);
  });
}
