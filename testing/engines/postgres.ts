import { execFile } from "node:child_process";
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
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
const INSTALL = "sudo apt-get install -y --no-install-recommends postgresql";
const READY = /database system is ready to accept (read-only )?connections/;

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

/** A cluster on disk that a server can be started on. */
interface Cluster {
  readonly programs: string;
  readonly folder: string;
  readonly data: string;
  readonly user: SystemUser | undefined;
}

const createCluster = async (installation: string, folder: string): Promise<Cluster> => {
  const user = unprivilegedUser();
  await chmod(folder, 0o755);
  const programs = await reachablePrograms(installation, folder, user);
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  if (user !== undefined) await chown(data, user.uid, user.gid);

  const cluster = ["-D", data, "-U", "postgres", "-E", "UTF8", "--locale=C", "--auth=trust", "--no-sync"];
  await run(join(programs, "bin", "initdb"), cluster, { cwd: folder, ...user });
  return { programs, folder, data, user };
};

/** Start a server on a cluster. @param settings in addition to those of every test */
const startOn = async (
  { programs, folder, data, user }: Cluster,
  settings: readonly string[] = [],
  stopSignal: NodeJS.Signals = "SIGINT",
): Promise<RunningPostgres> => {
  const port = await freePort();
  const all = [...TEST_SETTINGS, "listen_addresses=127.0.0.1", `port=${port}`, ...settings];
  const server = await startEngineProcess({
    file: join(programs, "bin", "postgres"),
    args: ["-D", data, ...all.flatMap((setting) => ["-c", setting])],
    ready: READY,
    stopSignal,
    user,
    cwd: folder,
  });
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, stop: server.stop };
};

const startServer = async (installation: string, folder: string): Promise<RunningPostgres> => {
  const server = await startOn(await createCluster(installation, folder));
  return {
    url: server.url,
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

/** A primary server and its hot standby, which has every commit that the primary has acknowledged. */
export interface PostgresPair {
  readonly primary: RunningPostgres;
  /** Read-only until `select pg_promote()`. */
  readonly standby: RunningPostgres;
  close(): Promise<void>;
}

/** Replicate synchronously, and stop at once, as a machine that loses its power. */
const PAIR_SETTINGS = ["synchronous_commit=on"];

/**
 * Start two real PostgreSQL servers with synchronous replication, from the programs on this machine.
 *
 * @throws Error that says what to install if the machine has no PostgreSQL
 */
export const startPostgresPair = async (): Promise<PostgresPair> => {
  const installation = locateEngines().postgres;
  if (installation === null) throw new Error(`This test needs PostgreSQL: ${INSTALL}`);
  const folder = await mkdtemp(join(tmpdir(), "mulkko-postgres-pair-"));
  const cluster = await createCluster(installation, folder);
  const copy: Cluster = { ...cluster, data: join(folder, "standby") };
  // Nothing runs on the cluster yet, so a copy of its files is a base backup.
  await cp(cluster.data, copy.data, { recursive: true });
  await writeFile(join(copy.data, "standby.signal"), "");
  await chmod(copy.data, 0o700);
  const { user } = cluster;
  if (user !== undefined) {
    for (const name of [".", ...(await readdir(copy.data, { recursive: true }))])
      await chown(join(copy.data, name), user.uid, user.gid);
  }
  const primary = await startOn(cluster, [...PAIR_SETTINGS, "synchronous_standby_names=*"], "SIGQUIT");
  const source = new URL(primary.url);
  const standby = await startOn(
    copy,
    [...PAIR_SETTINGS, `primary_conninfo=host=127.0.0.1 port=${source.port} user=postgres`],
    "SIGQUIT",
  );
  return {
    primary,
    standby,
    close: async () => {
      await standby.stop();
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
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
    install: INSTALL,
    container: startContainer,
    local: installation === null ? null : () => startLocal(installation),
  });
};
