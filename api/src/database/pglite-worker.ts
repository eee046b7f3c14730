import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import type { WorkerAnswer, WorkerRequest } from "./pglite-messages.ts";
import { pgliteOptions } from "./pglite-options.ts";
import { PreparedStatements } from "./prepared-statements.ts";

const port = parentPort;
if (!port) throw new Error("pglite-worker runs as a worker thread only");

const answer = (message: WorkerAnswer): void => port.postMessage(message);
const database = await PGlite.create(String(workerData), pgliteOptions);
const statements = new PreparedStatements(database);

async function obey(request: WorkerRequest): Promise<object[]> {
  switch (request.kind) {
    case "query":
      return statements.query(request.sql, request.params);
    case "exec":
      await statements.exec(request.sql);
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
