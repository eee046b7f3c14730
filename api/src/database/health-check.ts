import pg from "pg";

/** Interval of the health check, and its timeout, ms. */
const PULSE_MS = 2_000;
const SILENCE_MS = 8_000;

/**
 * Check a server on a separate connection. A stopped server, or a network that drops all packets, ends no
 * connection: its clients would wait indefinitely.
 *
 * @param tell called after every check: true for an answer in time
 */
export function startHealthCheck(url: string, tell: (alive: boolean) => void): { stop(): Promise<void> } {
  let client: pg.Client | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const connected = async (): Promise<pg.Client> => {
    const fresh = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: SILENCE_MS,
      query_timeout: SILENCE_MS,
    });
    // The next check finds it broken.
    fresh.on("error", () => undefined);
    client = fresh;
    await fresh.connect();
    return fresh;
  };
  const leave = async (): Promise<void> => {
    const old = client;
    client = undefined;
    await old?.end();
  };
  const beat = async (): Promise<void> => {
    let alive = true;
    try {
      await (client ?? (await connected())).query("select 1");
    } catch {
      alive = false;
      // The server may never answer the disconnect.
      void leave().catch(() => undefined);
    }
    if (stopped) return;
    tell(alive);
    timer = setTimeout(run, PULSE_MS);
  };
  let running: Promise<void> = Promise.resolve();
  const run = (): void => {
    running = beat();
  };
  run();

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await leave();
      await running;
    },
  };
}
