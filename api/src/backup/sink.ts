import { once } from "node:events";
import { createGzip, type Gzip } from "node:zlib";
import { BackupError } from "./format.ts";

/** How long a client may read nothing from a download, ms; the snapshot stays open as long. */
const STALLED_MS = 120_000;

/** Destination of a backup's lines. */
export interface Sink {
  /**
   * Write, and wait while the client is slow. @throws BackupError where the client is gone or reads nothing
   * for too long
   */
  write(text: string): Promise<void>;
}

/** Compress the written lines; the stream is for the sender or the file. */
export function createGzipSink(): { readonly sink: Sink; readonly stream: Gzip } {
  const stream = createGzip({ level: 6 });
  const closed = new AbortController();
  stream.once("close", () => closed.abort());
  return {
    stream,
    sink: {
      async write(text) {
        if (stream.destroyed) throw new BackupError("The client that requested the backup has disconnected.");
        if (stream.write(text)) return;
        try {
          await once(stream, "drain", {
            signal: AbortSignal.any([closed.signal, AbortSignal.timeout(STALLED_MS)]),
          });
        } catch (cause) {
          throw new BackupError("The client that requested the backup does not read it.", { cause });
        }
      },
    },
  };
}
