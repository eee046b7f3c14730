import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { publishAsDevice } from "@mulkko/testing/stack/publish-as-device";
import { type Stack, startStack } from "@mulkko/testing/stack/start-stack";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const DOCUMENT = resolve(import.meta.dirname, "../../docs/plain-door.md");
const SOIL_SERIAL = 24110101;

describe("the plain WebSocket", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(async () => {
    await stack?.close();
  });

  it("[docs] the ten lines of the document sign in, and print the farm and its changes", async () => {
    const script = /```js\n([\s\S]+?)```/.exec(await readFile(DOCUMENT, "utf8"))?.[1] ?? "";
    expect(script.trim().split("\n")).toHaveLength(10);
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      env: { PATH: process.env.PATH ?? "", MULKKO_URL: stack.url },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    const keep = (chunk: Buffer): void => {
      printed += chunk.toString();
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const ended = once(child, "exit");
    try {
      await expect.poll(() => printed).toContain("t: 'snapshot'");
      expect(printed).toContain("'sensor:");
      await expect
        .poll(async () => {
          const at = new Date().toISOString();
          await publishAsDevice(stack, SOIL_SERIAL, JSON.stringify({ moisture: 33.3, at }));
          return printed;
        })
        .toContain("t: 'change'");
      await stack.relay.stop();
      await expect.poll(() => printed).toContain("closed 4001");
    } finally {
      child.kill("SIGKILL");
      await ended;
    }
  });
});
