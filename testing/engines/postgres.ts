import { execFile } from "node:child_process";
import { chmod, chown, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEngineProcess } from "./engine-process.ts";
import { freePort } from "./free-port.ts";
import { locateEngines } from "./locate.ts";
import { startEngine } from "./start-engine.ts";
import { isOpenToAll, type SystemUser, unprivilegedUser } from "./unprivileged-user.ts";

const run = promisify(execFile);

export interface RunningPostgres {
  /** `postgres://user@host:port/database`, a superuser on an empty database. */
  readonly url: string;
  stop(): Promise<void>;
}

const IMAGE = "postgres:18-alpine";
const READY = /database system is ready to accept connections/;

/** A test's data need not survive a power cut. */
const TEST_SETTINGS = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "unix_socket_directories=",
];

/** `nobody` may not enter a clone under /root, so there it runs a copy of the programs. */
const reachablePrograms = async (
  installation: string,
  folder: string,
  user: SystemUser | undefined,
): Promise<string> => {
  if (user === undefined || isOpenToAll(join(installation, "bin"))) return installation;
  const copy = join(folder, "postgres");
  await cp(installation, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
};

const startServer = async (installation: string, folder: string): Promise<RunningPostgres> => {
  const user = unprivilegedUser();
  await chmod(folder, 0o755);
  const programs = await reachablePrograms(installation, folder, user);
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  if (user !== undefined) await chown(data, user.uid, user.gid);

  const cluster = ["-D", data, "-U", "postgres", "-E", "UTF8", "--locale=C", "--auth=trust", "--no-sync"];
  await run(join(programs, "bin", "initdb"), cluster, { cwd: folder, ...user });
  const port = await freePort();
  const settings = [...TEST_SETTINGS, "listen_addresses=127.0.0.1", `port=${port}`];
  const server = await startEngineProcess({
    file: join(programs, "bin", "postgres"),
    args: ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    ready: READY,
    stopSignal: "SIGINT",
    user,
    cwd: folder,
  });
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const startLocal = async (installation: string): Promise<RunningPostgres> => {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-postgres-"));
  try {
    return await startServer(installation, folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
};

const startContainer = async (): Promise<RunningPostgres> => {
  const { GenericContainer, Wait } = await import("testcontainers");
  const container = await new GenericContainer(IMAGE)
    .withEnvironment({ POSTGRES_HOST_AUTH_METHOD: "trust" })
    .withExposedPorts(5432)
    // The image starts the server once to initialise it, and then again to serve.
    .withWaitStrategy(Wait.forLogMessage(READY, 2))
    .start();
  return {
    url: `postgres://postgres@${container.getHost()}:${container.getMappedPort(5432)}/postgres`,
    stop: async () => {
      await container.stop();
    },
  };
};

/**
 * Start a real, empty PostgreSQL server for one test file (about a second).
 *
 * @throws Error that says what to install if the machine has neither Docker nor PostgreSQL
 */
export const startPostgres = (): Promise<RunningPostgres> => {
  const installation = locateEngines().postgres;
  return startEngine({
    name: "PostgreSQL",
    install: "sudo apt-get install -y --no-install-recommends postgresql",
    container: startContainer,
    local: installation === null ? null : () => startLocal(installation),
  });
};
