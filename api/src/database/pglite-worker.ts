import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import type { WorkerAnswer, WorkerRequest } from "./pglite-messages.ts";
import { pgliteOptions } from "./pglite-options.ts";

const port = parentPort;
if (!port) throw new Error("pglite-worker runs as a worker thread only");

const answer = (message: WorkerAnswer): void => port.postMessage(message);
const database = await PGlite.create(String(workerData), pgliteOptions);

async function obey(request: WorkerRequest): Promise<object[]> {
  switch (request.kind) {
    case "query":
      return (await database.query<object>(request.sql, [...request.params])).rows;
    case "exec":
      await database.exec(request.sql);
      return [];
    case "close":
      await database.close();
      return [];
  }
}

port.on("message", (request: WorkerRequest) => {
  obey(request).then(
    (rows) => {
      answer({ id: request.id, ok: true, rows });
      if (request.kind === "close") port.close();
    },
    (error: unknown) => {
      const code = error instanceof Error && "code" in error ? String(error.code) : "XX000";
      answer({
        id: request.id,
        ok: false,
        message: error instanceof Error ? error.message : String(error),
        code,
      });
    },
  );
});
answer({ id: -1, ok: true, rows: [] });
