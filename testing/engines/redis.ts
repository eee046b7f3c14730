import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEngineProcess } from "./engine-process.ts";
import { freePort } from "./free-port.ts";
import { locateEngines } from "./locate.ts";
import { startEngine } from "./start-engine.ts";

export interface RunningRedis {
  /** `redis://host:port` */
  readonly url: string;
  /** Suspend it with all its connections open, like a machine that hangs. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  stop(): Promise<void>;
}

const IMAGE = "redis:7.0-alpine";
const READY = /[Rr]eady to accept connections/;

const startLocal = async (file: string, appendonly: string): Promise<RunningRedis> => {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-redis-"));
  const port = await freePort();
  try {
    const settings = { port: String(port), bind: "127.0.0.1", dir: folder, save: "", appendonly };
    const server = await startEngineProcess({
      file,
      args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
      ready: READY,
      stopSignal: "SIGTERM",
    });
    return {
      url: `redis://127.0.0.1:${port}`,
      freeze: async () => server.signal("SIGSTOP"),
      thaw: async () => server.signal("SIGCONT"),
      stop: async () => {
        await server.stop();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
};

const startContainer = async (appendonly: string): Promise<RunningRedis> => {
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import("testcontainers");
  const container = await new GenericContainer(IMAGE)
    .withExposedPorts(6379)
    .withCommand(["redis-server", "--save", "", "--appendonly", appendonly])
    .withWaitStrategy(Wait.forLogMessage(READY))
    .start();
  const inDocker = async () => (await getContainerRuntimeClient()).container.getById(container.getId());
  return {
    freeze: async () => {
      await (await inDocker()).pause();
    },
    thaw: async () => {
      await (await inDocker()).unpause();
    },
    url: `redis://${container.getHost()}:${container.getMappedPort(6379)}`,
    stop: async () => {
      await container.stop();
    },
  };
};

/**
 * Start a real Redis server for one test file.
 *
 * @param kept "durable": with the append-only file that the relay requires; by default it stores nothing
 * @throws Error that says what to install if the machine has neither Docker nor Redis
 */
export const startRedis = (kept: "durable" | "in memory" = "in memory"): Promise<RunningRedis> => {
  const file = locateEngines().redisServer;
  const appendonly = kept === "durable" ? "yes" : "no";
  return startEngine({
    name: "Redis",
    install: "sudo apt-get install -y --no-install-recommends redis-server",
    container: () => startContainer(appendonly),
    local: file === null ? null : () => startLocal(file, appendonly),
  });
};
