import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { freePort } from "./free-port.ts";

const FILE = join(import.meta.dirname, "free-port.ts");

interface Elsewhere {
  ports: number[];
  /** End the process: it releases its ports. */
  end(): Promise<void>;
}

/** Return ports that another process was given. It runs, and holds them, until `end` is called. */
async function portsElsewhere(count: number): Promise<Elsewhere> {
  const script = `
    import { freePort } from ${JSON.stringify(FILE)};
    const ports = [];
    for (let made = 0; made < ${count}; made += 1) ports.push(await freePort());
    console.log(JSON.stringify(ports));
    process.stdin.resume();
  `;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const [line]: unknown[] = await once(createInterface(child.stdout), "line");
  const ports: unknown = JSON.parse(String(line));
  if (!Array.isArray(ports)) throw new Error(`no list of ports: ${line}`);
  return {
    ports: ports.map(Number),
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

it("[engines] processes side by side never get the same port", async () => {
  const own = async (): Promise<number[]> => {
    const ports: number[] = [];
    for (let made = 0; made < 300; made += 1) ports.push(await freePort());
    return ports;
  };
  const [here, there] = await Promise.all([own(), portsElsewhere(300)]);
  await there.end();
  expect(new Set(here).size).toBe(300);
  expect(there.ports.filter((port) => here.includes(port))).toEqual([]);
});

it("[engines] a port is below those of outgoing connections, and a server can listen on it", async () => {
  const port = await freePort();
  expect(port).toBeLessThan(32_768);
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  server.close();
});
