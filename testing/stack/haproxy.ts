import { resolve } from "node:path";
import { startEngineProcess } from "../engines/engine-process.ts";
import { freePort } from "../engines/free-port.ts";
import { locateEngines } from "../engines/locate.ts";

const CONFIG = resolve(import.meta.dirname, "../../ops/haproxy.cfg");

/** Participation of relays, by the balancer's checks. */
export type Health = Readonly<Record<string, "UP" | "DOWN">>;

/** The load balancer of `ops/haproxy.cfg`, as a process. */
export interface Balancer {
  /** Public address. */
  readonly url: string;
  /** By `relay-1`, `relay-2`, …: true if new connections are sent there. */
  health(): Promise<Health>;
  stop(): Promise<void>;
}

const STATUS = /haproxy_server_status\{proxy="relays_ready",server="([^"]+)",state="(UP|DOWN)"\} 1/g;

/**
 * Start haproxy with the configuration that `docker-compose.yml` uses.
 *
 * @param relays their addresses, two to four, such as `http://127.0.0.1:8080`
 * @param env environment on top, such as `CLIENT_TIMEOUT`
 * @throws Error that says what to install if the machine has no haproxy
 */
export async function startBalancer(
  relays: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Balancer> {
  const file = locateEngines().haproxy;
  if (file === null) {
    throw new Error("This test needs HAProxy: type: sudo apt-get install -y --no-install-recommends haproxy");
  }
  const [port, statusPort] = await Promise.all([freePort(), freePort()]);
  const servers = relays.map((url, index): [string, string] => [`RELAY_${index + 1}`, new URL(url).host]);
  const process = await startEngineProcess({
    file,
    args: ["-W", "-db", "-f", CONFIG],
    ready: /Loading success/,
    stopSignal: "SIGTERM",
    env: {
      BIND: `127.0.0.1:${port}`,
      STATUS_BIND: `127.0.0.1:${statusPort}`,
      ...Object.fromEntries(servers),
      ...env,
    },
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async health() {
      const metrics = await fetch(`http://127.0.0.1:${statusPort}/metrics`);
      const found: Record<string, "UP" | "DOWN"> = {};
      for (const [, name, state] of (await metrics.text()).matchAll(STATUS)) {
        if (name !== undefined && (state === "UP" || state === "DOWN")) found[name] = state;
      }
      return found;
    },
    stop: () => process.stop(),
  };
}
