import pg from "pg";

/** How often the server is asked for a sign of life, and how long it may take, ms. */
const PULSE_MS = 2_000;
const SILENCE_MS = 8_000;

/**
 * Asks a server for a sign of life on a connection of its own. A server that is stopped, or behind a line that
 * swallows everything, ends no connection: whoever waits for it would wait for ever.
 *
 * @param tell called after every beat: whether there was an answer in time
 */
export function startPulse(url: string, tell: (alive: boolean) => void): { stop(): Promise<void> } {
  let client: pg.Client | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const connected = async (): Promise<pg.Client> => {
    const fresh = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: SILENCE_MS,
      query_timeout: SILENCE_MS,
    });
    // The next beat finds it broken.
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
      // It may never say goodbye.
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
