import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { locateEngines } from "./locate.ts";

const run = promisify(execFile);
const PUBLISH_TIMEOUT_MS = 10_000;

export interface Publication {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly topic: string;
  /** Any bytes; a program argument could not hold a zero. */
  readonly message: string | Uint8Array;
  /** 1 if absent: the call returns when the broker has acknowledged. */
  readonly qos?: 0 | 1 | 2;
}

/**
 * Publish with `mosquitto_pub`, a client that shares no code with this project.
 *
 * @throws Error when the broker refuses, or the program is not installed
 */
export const mosquittoPub = async (publication: Publication): Promise<void> => {
  const file = locateEngines().mosquittoPub;
  if (file === null) {
    throw new Error("This test needs mosquitto_pub; type: sudo apt-get install -y mosquitto-clients");
  }
  const { host, port, user, password, topic, message, qos = 1 } = publication;
  const address = ["-h", host, "-p", String(port), "-u", user, "-P", password];
  const content = ["-i", user, "-q", String(qos), "-t", topic, "-s"];
  const publishing = run(file, [...address, ...content], { timeout: PUBLISH_TIMEOUT_MS });
  // A refused program closes the pipe before it has read; its exit code says why.
  publishing.child.stdin?.on("error", () => undefined).end(message);
  await publishing;
};
