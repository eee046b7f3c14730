import { Readable } from "node:stream";
import { PARSED_BYTES } from "./named-in-body.ts";
import { RelayError } from "./relay-error.ts";

/** Size limit of a proxied request body, bytes. */
export const BODY_LIMITS = { plain: 1024 * 1024, multipart: 6 * 1024 * 1024 } as const;

/** Limit of all bodies held at the same time, bytes. */
const HELD_AT_MOST = 96 * 1024 * 1024;

export function bodyLimitFor(contentType: string | undefined): number {
  return contentType?.toLowerCase().startsWith("multipart/") ? BODY_LIMITS.multipart : BODY_LIMITS.plain;
}

export const tooLarge = (limit: number): RelayError =>
  new RelayError(413, "too-large", `the body exceeds ${limit} bytes`);

const tooMany = (): RelayError => new RelayError(503, "upstream-down", "too many request bodies in progress");

/**
 * Receives bodies completely before they are passed on, so that a slow one occupies no connection to the
 * farm API.
 */
export interface WholeBodies {
  /**
   * @returns the complete body, its first {@link PARSED_BYTES} as text, and the function that releases its
   * memory
   * @throws RelayError 413 · 503 if too much is held
   */
  read(body: Readable, limit: number): Promise<{ whole: Readable; head: string; release: () => void }>;
}

export function createWholeBodies(heldAtMost = HELD_AT_MOST): WholeBodies {
  let held = 0;
  return {
    read: (body, limit) =>
      new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const release = (): void => {
          held -= size;
          size = 0;
        };
        const stop = (): void => {
          body.off("data", onChunk).off("end", finish).off("error", fail).off("close", cut);
        };
        const fail = (error: Error): void => {
          stop();
          release();
          reject(error);
        };
        const cut = (): void => fail(new Error("the body is incomplete"));
        const finish = (): void => {
          stop();
          const head = Buffer.concat(chunks, Math.min(size, PARSED_BYTES)).toString("utf8");
          resolve({ whole: Readable.from(chunks, { objectMode: false }), head, release });
        };
        const onChunk = (chunk: Buffer): void => {
          size += chunk.length;
          held += chunk.length;
          chunks.push(chunk);
          if (size > limit) fail(tooLarge(limit));
          else if (held > heldAtMost) fail(tooMany());
        };
        body.on("data", onChunk).on("end", finish).on("error", fail).on("close", cut);
      }),
  };
}
