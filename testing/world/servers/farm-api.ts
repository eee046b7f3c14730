import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EventLoopWatch } from "@mulkko/shared/server/event-loop";
import { build } from "../../../api/src/app.ts";
import { readConfig } from "../../../api/src/config.ts";
import { DatabaseError } from "../../../api/src/database/database.ts";
import type { App } from "../../../api/src/http/server.ts";
import type { InProcessPglite } from "../../../api/testing/in-process-pglite.ts";
import { NETWORK_SERVER } from "../devices/lorawan.ts";
import type { WorldBroker } from "../network/broker.ts";
import type { Machine } from "../network/machine.ts";
import type { WorldTime } from "../network/world-time.ts";
import type { StoreFault } from "../plan/plan.ts";

/** The event loop of a world is never late. */
export const CALM: EventLoopWatch = { p99: () => 0, close: () => undefined };

export const RELAY_KEY = "relay-key-of-the-world";

/** Delay of each statement at a slow database, ms. */
const SLOW_MS = 700;

/** Statements that change nothing. */
const READS = /^\s*(?:select|begin|commit|rollback|set)\b/i;

/** Answers of PostgreSQL to a change. */
const REFUSALS = {
  full: { message: "could not extend file: No space left on device", code: "53100" },
  "read-only": { message: "cannot execute in a read-only transaction", code: "25006" },
} as const;

/** The bundled farm API with its own broker, on a machine. */
export class FarmApi {
  readonly machine: Machine;
  readonly #database: InProcessPglite;
  readonly #broker: WorldBroker;
  readonly #folder: string;
  readonly #lines: string[];
  #app: App | null = null;
  #storeFault: StoreFault | null = null;
  /** Statements that a slow database has not begun: others may wait for them. */
  #slowStatements = 0;
  #starts = 0;
  #kill: () => void = () => undefined;

  constructor(parts: {
    readonly machine: Machine;
    readonly database: InProcessPglite;
    readonly broker: WorldBroker;
    readonly folder: string;
    readonly lines: string[];
  }) {
    this.machine = parts.machine;
    this.#database = parts.database;
    this.#broker = parts.broker;
    this.#folder = parts.folder;
    this.#lines = parts.lines;
  }

  /** True while its database answers as it should. */
  get isStoreWell(): boolean {
    return this.#storeFault === null && this.#slowStatements === 0;
  }

  /** Let the database have a trouble from now on; null: none. */
  troubleStore(fault: StoreFault | null, time: WorldTime): void {
    this.#storeFault = fault;
    this.#database.before = (sql) => {
      if (fault === null) return null;
      if (fault === "away") throw new DatabaseError("the connection was refused", "08006");
      if (fault === "slow") {
        this.#slowStatements += 1;
        return new Promise((resolve) => {
          time.after(SLOW_MS, () => {
            this.#slowStatements -= 1;
            resolve();
          });
        });
      }
      if (READS.test(sql)) return null;
      const { message, code } = REFUSALS[fault];
      throw new DatabaseError(message, code);
    };
  }

  /** The running process; null while there is none, or it is still starting. */
  get app(): App | null {
    return this.#app;
  }

  get server(): App | null {
    return this.#app;
  }

  async start(): Promise<App> {
    this.#starts += 1;
    const process = this.machine.boot();
    const connection = this.#database.connect();
    const folder = join(this.#folder, `api-${this.#starts}`);
    mkdirSync(folder, { recursive: true });
    const config = readConfig({
      API_PORT: "0",
      DATA_DIR: folder,
      DEMO: "off",
      BACKUPS: "off",
      RELAY_KEY,
      UPLINK_KEY: NETWORK_SERVER.key,
      LOG_LEVEL: "warn",
    });
    const app = await build(config, {
      clock: process.clock,
      timers: process.timers,
      openDatabase: async () => connection.database,
      startBroker: async (options) => this.#broker.start(options, process),
      schedulesJobs: false,
      watchEventLoop: () => CALM,
      wait: async () => undefined,
      logStream: { write: (line) => void (process.isAlive() && this.#lines.push(line)) },
    });
    if (!process.isAlive()) throw new Error("the farm API was killed while it started");
    this.#app = app;
    this.#kill = connection.kill;
    return app;
  }

  kill(): void {
    this.#app = null;
    this.#kill();
    this.machine.kill();
  }
}
