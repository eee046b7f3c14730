import { once } from "node:events";
import { createGzip, type Gzip } from "node:zlib";
import { BackupError } from "./format.ts";

/** How long whoever downloads may take nothing, ms: a snapshot is held for as long. */
const STALLED_MS = 120_000;

/** Where the lines of a backup go. */
export interface Sink {
  /** Waits while the other end is slow. @throws BackupError where it is gone, or takes nothing for too long */
  write(text: string): Promise<void>;
}

/** Packs what is written; the stream is for whoever sends or keeps it. */
export function createGzipSink(): { readonly sink: Sink; readonly stream: Gzip } {
  const stream = createGzip({ level: 6 });
  const closed = new AbortController();
  stream.once("close", () => closed.abort());
  return {
    stream,
    sink: {
      async write(text) {
        if (stream.destroyed) throw new BackupError("Whoever asked for the backup is gone.");
        if (stream.write(text)) return;
        try {
          await once(stream, "drain", {
            signal: AbortSignal.any([closed.signal, AbortSignal.timeout(STALLED_MS)]),
          });
        } catch (cause) {
          throw new BackupError("Whoever asked for the backup does not take it.", { cause });
        }
      },
    },
  };
}
