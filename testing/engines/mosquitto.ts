import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEngineProcess } from "./engine-process.ts";
import { freePort } from "./free-port.ts";
import { locateEngines } from "./locate.ts";
import { mosquittoPasswordLine } from "./mosquitto-password.ts";
import { startEngine } from "./start-engine.ts";

export interface MosquittoOptions {
  /** The port on this machine; a free one if absent. Set it to start a broker again at the same port. */
  readonly port?: number;
  /** Password by user name. Absent: anonymous clients may connect. */
  readonly users?: Readonly<Record<string, string>>;
  /** The text of an ACL file. */
  readonly acl?: string;
  /** More lines for mosquitto.conf. */
  readonly config?: readonly string[];
}

export interface RunningMosquitto {
  /** `mqtt://host:port` */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Its process on this machine; undefined in a container. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

const IMAGE = "eclipse-mosquitto:2.0";
const READY = /mosquitto version \S+ running/;

const running = (
  host: string,
  port: number,
  pid: number | undefined,
  stop: () => Promise<void>,
): RunningMosquitto => ({
  url: `mqtt://${host}:${port}`,
  host,
  port,
  pid,
  stop,
});

/** Return the configuration files by name; `folder` is their place for the broker. */
const configFiles = (options: MosquittoOptions, folder: string, listener: string): Record<string, string> => {
  const lines = ["user root", "persistence false", "log_dest stderr", `listener ${listener}`];
  const files: Record<string, string> = {};
  if (options.users === undefined) lines.push("allow_anonymous true");
  else {
    lines.push("allow_anonymous false", `password_file ${folder}/passwords`);
    const passwords = Object.entries(options.users).map(([user, key]) => mosquittoPasswordLine(user, key));
    files.passwords = `${passwords.join("\n")}\n`;
  }
  if (options.acl !== undefined) {
    lines.push(`acl_file ${folder}/acl`);
    files.acl = options.acl;
  }
  files["mosquitto.conf"] = `${[...lines, ...(options.config ?? [])].join("\n")}\n`;
  return files;
};

const startLocal = async (file: string, options: MosquittoOptions): Promise<RunningMosquitto> => {
  const folder = await mkdtemp(join(tmpdir(), "mulkko-mosquitto-"));
  const port = options.port ?? (await freePort());
  for (const [name, text] of Object.entries(configFiles(options, folder, `${port} 127.0.0.1`))) {
    await writeFile(join(folder, name), text, { mode: 0o600 });
  }
  try {
    const broker = await startEngineProcess({
      file,
      args: ["-c", join(folder, "mosquitto.conf")],
      ready: READY,
      stopSignal: "SIGTERM",
    });
    return running("127.0.0.1", port, broker.pid, async () => {
      await broker.stop();
      await rm(folder, { recursive: true, force: true });
    });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
};

const startContainer = async (options: MosquittoOptions): Promise<RunningMosquitto> => {
  const { GenericContainer, Wait } = await import("testcontainers");
  const folder = "/mosquitto/config";
  const files = Object.entries(configFiles(options, folder, "1883 0.0.0.0"));
  const container = await new GenericContainer(IMAGE)
    .withExposedPorts(options.port === undefined ? 1883 : { container: 1883, host: options.port })
    .withCopyContentToContainer(files.map(([name, content]) => ({ content, target: `${folder}/${name}` })))
    .withWaitStrategy(Wait.forLogMessage(READY))
    .start();
  return running(container.getHost(), container.getMappedPort(1883), undefined, async () => {
    await container.stop();
  });
};

/**
 * Start a real Mosquitto broker for one test.
 *
 * @throws Error that says what to install if the machine has neither Docker nor Mosquitto
 */
export const startMosquitto = (options: MosquittoOptions = {}): Promise<RunningMosquitto> => {
  const file = locateEngines().mosquitto;
  return startEngine({
    name: "Mosquitto",
    install: "sudo apt-get install -y --no-install-recommends mosquitto mosquitto-clients",
    container: () => startContainer(options),
    local: file === null ? null : () => startLocal(file, options),
  });
};
