import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "@mulkko/testing/engines/free-port";

/** Replaces the API and the relay: serves /health on a variable's port, and prints received signals. */
const serverSource = (portVariable: string): string => `
import { createServer } from "node:http";
const server = createServer((request, response) => {
  if (request.url === "/end") process.exit(3);
  response.end("ok");
});
const log = (fields) => console.log(JSON.stringify({ level: 30, time: Date.now(), ...fields }));
if (process.env.ENDS_AT_ONCE && "${portVariable}" === "API_PORT") process.exit(3);
server.listen(Number(process.env.${portVariable}), () => {
  console.log("listening");
  if ("${portVariable}" === "API_PORT" && process.env.DEMO !== "off")
    console.log("Demo accounts: farmer, neighbor, admin (password mulkko2026!)");
  if (process.env.EMPTY) console.log("No account yet. One-time setup code for the first administrator: ABCDEFGH2345");
  log({ req: { method: "GET" }, msg: "request completed" });
  log({ level: 40, err: { message: "it is away", stack: "at line 1" }, msg: "broker unavailable" });
});
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    console.log("received " + signal);
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
}
`;

const driverSource = (root: string): string => `
import { runServers } from ${JSON.stringify(resolve(import.meta.dirname, "run-servers.ts"))};
try {
  const root = ${JSON.stringify(root)};
  process.exitCode = await runServers({ root, environment: process.env, nodeOptions: [], others: [], terminal: process.env.PIPED === undefined });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
`;

export interface FakeServers {
  readonly child: ChildProcess;
  readonly port: number;
  readonly apiPort: number;
  /** Output so far. */
  output(): string;
  /** Wait until the output contains a text. */
  says(text: string): Promise<void>;
  /** Wait for the end and return the exit code. */
  ended(): Promise<number | null>;
  remove(): Promise<void>;
}

/** Run `runServers` as a process of its own, on two servers that only answer /health. */
export const startFakeServers = async (environment: Record<string, string> = {}): Promise<FakeServers> => {
  const root = await mkdtemp(join(tmpdir(), "mulkko-servers-"));
  for (const [name, variable] of [
    ["api", "API_PORT"],
    ["relay", "PORT"],
  ] as const) {
    await mkdir(join(root, name, "src"), { recursive: true });
    await writeFile(join(root, name, "src/main.ts"), serverSource(variable));
  }
  await writeFile(join(root, "package.json"), '{ "type": "module", "version": "9.8.7" }\n');
  await writeFile(join(root, "driver.ts"), driverSource(root));
  const [port, apiPort, mqttPort] = [await freePort(), await freePort(), await freePort()];
  const ports = { PORT: String(port), API_PORT: String(apiPort), MQTT_PORT: String(mqttPort) };
  const child = spawn(process.execPath, [join(root, "driver.ts")], {
    env: { PATH: process.env.PATH, ...ports, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const waiting = new Set<() => void>();
  const read = (chunk: Buffer) => {
    output += chunk.toString();
    for (const look of waiting) look();
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  const closed = once(child, "close");
  return {
    child,
    port,
    apiPort,
    output: () => output,
    says: (text) =>
      new Promise((done) => {
        const look = () => {
          if (!output.includes(text)) return;
          waiting.delete(look);
          done();
        };
        waiting.add(look);
        look();
      }),
    async ended() {
      await closed;
      return child.exitCode;
    },
    remove: async () => {
      child.kill("SIGKILL");
      await rm(root, { recursive: true, force: true });
    },
  };
};
