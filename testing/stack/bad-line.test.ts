import { once } from "node:events";
import { createServer } from "node:http";
import { eventually } from "@mulkko/shared/testing/eventually";
import { expect, it } from "vitest";
import { startBadLine } from "./bad-line.ts";

it("[engines] holds a browser's requests on a bad line, and answers once it passes", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end("fine");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const line = await startBadLine(`http://127.0.0.1:${address.port}`);
  const ask = async (path: string): Promise<string> => (await fetch(line.url + path)).text();
  try {
    expect(await ask("/good")).toBe("fine");
    line.hold("requests");
    const held = ask("/held");
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(asked).toEqual(["/good"]);
    line.pass();
    expect(await held).toBe("fine");
    line.hold("answers");
    const unanswered = ask("/unanswered");
    await eventually(() => expect(asked).toContain("/unanswered"));
    line.cut();
    await expect(unanswered).rejects.toThrow();
  } finally {
    await line.close();
    server.close();
  }
});
