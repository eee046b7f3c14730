import Fastify from "fastify";
import { expect, test } from "vitest";
import { loggingOptions } from "./logging.ts";

test("[log] the line of a listening server has an event", async () => {
  const lines: string[] = [];
  const server = Fastify(
    loggingOptions({ level: "info", stream: { write: (line) => void lines.push(line) } }),
  );
  await server.listen({ host: "127.0.0.1", port: 0 });
  await server.close();
  expect(lines).toEqual([expect.stringMatching(/"event":"listening","msg":"Server listening at http:/)]);
});
