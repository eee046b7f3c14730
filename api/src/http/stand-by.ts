import { errorBody } from "./errors.ts";
import { type App, createServer } from "./server.ts";

const RETRY_AFTER_S = "5";

/**
 * Build the server of a farm API that waits for another one to end (KEEP-2). It is alive, not ready, and answers
 * every other call with 503.
 *
 * @param holder returns a description of the farm API that serves meanwhile
 */
export function createStandBy(options: Parameters<typeof createServer>[0], holder: () => string): App {
  const app = createServer(options);
  app.get("/health", async () => ({ status: "ok", standBy: true }));
  app.get("/ready", async (_request, reply) =>
    reply.code(503).send({ ready: false, standBy: true, owner: holder() }),
  );
  app.setNotFoundHandler((_request, reply) =>
    reply
      .code(503)
      .header("retry-after", RETRY_AFTER_S)
      .send(errorBody(503, "database-down", "this farm API is a stand-by; another one serves")),
  );
  return app;
}
