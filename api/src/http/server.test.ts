import { expect, test } from "vitest";
import { createServer } from "./server.ts";

test("[log] the line of a listening server has an event", async () => {
  const lines: string[] = [];
  const app = createServer({
    logLevel: "info",
    logStream: { write: (line) => void lines.push(line) },
    trustedProxies: "loopback",
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  await app.close();
  expect(lines).toEqual([expect.stringMatching(/"event":"listening","msg":"Server listening at http:/)]);
});
