import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { freePort } from "../engines/free-port.ts";
import { type RunningRedis, startRedis } from "../engines/redis.ts";
import { createService, type Service } from "./service.ts";

const RELAY_KEY = "e2e-relay-key-0123456789abcdef0123456789";
const RELAY_SECRET = "e2e-relay-secret-0123456789abcdef01234567";
const ROOT = resolve(import.meta.dirname, "../..");

/** One relay of a cluster. */
export interface ClusterNode {
  readonly url: string;
  readonly service: Service;
  /** Its name among the relays, as in a `welcome`. */
  id(): Promise<string>;
  /** Suspend it like a machine that hangs (SIGSTOP), and continue it later (SIGCONT). */
  freeze(): void;
  thaw(): void;
}

/** Return the labels of the first matching line of a relay's metrics; undefined while it does not answer. */
export async function metric(url: string, line: RegExp): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(2_000) });
    return line.exec(await response.text())?.[1];
  } catch {
    return undefined;
  }
}

/** The farm API with its demo farm, and several relays over one Redis. */
export interface Cluster {
  readonly nodes: readonly ClusterNode[];
  readonly api: Service;
  readonly apiUrl: string;
  readonly mqttPort: number;
  readonly dataDir: string;
  readonly redis: RunningRedis;
  close(): Promise<void>;
}

/**
 * @param count of relays
 * @param env environment on top of the defaults, for all processes
 * @param relayEnv on top of that for each relay, by its number from 0
 */
export async function startCluster(
  count: number,
  env: Record<string, string> = {},
  relayEnv: (
    index: number,
    urls: { apiUrl: string; redisUrl: string },
  ) => Record<string, string> | Promise<Record<string, string>> = () => ({}),
): Promise<Cluster> {
  const [apiPort, mqttPort] = await Promise.all([freePort(), freePort()]);
  const dataDir = await mkdtemp(join(tmpdir(), "mulkko-cluster-"));
  const redis = await startRedis("durable");
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const common = {
    API_PORT: String(apiPort),
    MQTT_PORT: String(mqttPort),
    API_URL: apiUrl,
    RELAY_MQTT_URL: `mqtt://127.0.0.1:${mqttPort}`,
    RELAY_KEY,
    RELAY_SECRET,
    REDIS_URL: redis.url,
    DEMO: "on",
    LOG_LEVEL: "info",
    ...env,
  };
  const api = createService({
    name: "api",
    script: join(ROOT, "api/src/main.ts"),
    env: { ...common, DATA_DIR: dataDir },
    healthUrl: `${apiUrl}/health`,
    startTimeoutMs: 120_000,
  });
  const nodes: ClusterNode[] = [];
  for (let index = 0; index < count; index += 1) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const service = createService({
      name: `relay ${index + 1}`,
      script: join(ROOT, "relay/src/main.ts"),
      env: {
        ...common,
        DATA_DIR: join(dataDir, `node-${index + 1}`),
        PORT: String(port),
        ...(await relayEnv(index, { apiUrl, redisUrl: redis.url })),
      },
      healthUrl: `${url}/health`,
      startTimeoutMs: 60_000,
    });
    const signal = (name: NodeJS.Signals): void => {
      const pid = service.pid();
      if (pid !== undefined) process.kill(pid, name);
    };
    nodes.push({
      url,
      service,
      id: async () => (await metric(url, /mulkko_relay_node_info\{node="([^"]+)"\}/)) ?? "",
      freeze: () => signal("SIGSTOP"),
      thaw: () => signal("SIGCONT"),
    });
  }
  const close = async (): Promise<void> => {
    await Promise.all(nodes.map(({ service }) => service.stop()));
    await api.stop();
    await redis.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await api.start();
    await Promise.all(nodes.map(({ service }) => service.start()));
  } catch (error) {
    await close();
    throw error;
  }
  return { nodes, api, apiUrl, mqttPort, dataDir, redis, close };
}
