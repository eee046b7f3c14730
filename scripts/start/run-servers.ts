import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LEAN_API_ENVIRONMENT, LEAN_API_OPTIONS } from "../process/lean-api.ts";
import { banner, type WayIn } from "./banner.ts";
import { type Environment, planStart, processEnvironment, type StartPlan } from "./environment.ts";
import { createJsonLog, createTerminalLog } from "./log-lines.ts";
import { isPortInUse } from "./port-in-use.ts";
import type { ServiceCommand } from "./service.ts";
import { supervise } from "./supervise.ts";
import { waitUntilHealthy } from "./wait-until-healthy.ts";

const refuseTakenPorts = async (ports: StartPlan["ports"]): Promise<void> => {
  for (const { variable, port } of ports) {
    if (await isPortInUse(port)) {
      throw new Error(
        `Port ${port} is in use. Choose another one: ${variable}=${port + 1000} npx -y pnpm@12 start`,
      );
    }
  }
};

/** Text in the farm API's output before the setup code of an empty installation. */
const SETUP_CODE = /One-time setup code[^:]*: ([2-9A-Z]{12})/;
/** Text with the password of the demo's accounts. */
const DEMO_PASSWORD = /Demo accounts: [\w, ]+ \(password ([\w!-]+)\)/;

const versionOf = (root: string): string => {
  const file: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const version = typeof file === "object" && file !== null && "version" in file ? file.version : null;
  return typeof version === "string" ? version : "";
};

export interface RunOptions {
  readonly root: string;
  readonly environment: Environment;
  /** Node options before the script of the API and the relay, such as `--watch`. */
  readonly nodeOptions: readonly string[];
  /** Processes beside the API and the relay. */
  readonly others: readonly Omit<ServiceCommand, "env">[];
  /** True for a terminal: a short log and a banner; otherwise each line is JSON. */
  readonly terminal: boolean;
  /** Address to open in a browser; absent: the relay itself. */
  readonly pageUrl?: string;
}

/**
 * Run the bundled API (unless API_URL names another) and the relay until they end or a signal arrives.
 *
 * @returns the exit code
 * @throws Error with an explanation for the terminal when it cannot start
 */
export const runServers = async (options: RunOptions): Promise<number> => {
  const { root, environment, nodeOptions, others } = options;
  const print = (text: string) => process.stdout.write(text);
  const log = options.terminal
    ? createTerminalLog(print, process.stdout.isTTY)
    : createJsonLog(print, Date.now);
  log.write("", `Mulkko ${versionOf(root)}`.trimEnd());
  const plan = planStart(environment);
  await refuseTakenPorts(plan.ports);
  const env = await processEnvironment(root, environment, plan.startsApi);
  const server = (name: string, options = nodeOptions, own = env): ServiceCommand => ({
    name,
    args: [...options, `${name}/src/main.ts`],
    cwd: root,
    env: own,
  });
  const api = server("api", [...nodeOptions, ...LEAN_API_OPTIONS], { ...LEAN_API_ENVIRONMENT, ...env });
  let wayIn: WayIn = { kind: "account" };
  const onLine = (name: string, line: string) => {
    if (name !== "api") return;
    const code = SETUP_CODE.exec(line)?.[1];
    const password = DEMO_PASSWORD.exec(line)?.[1];
    if (code !== undefined) wayIn = { kind: "set-up", code };
    if (password !== undefined) wayIn = { kind: "demo", password, host: env.HOST };
  };
  let isUp = false;
  const { stopping, ended } = supervise(
    [...(plan.startsApi ? [api] : []), server("relay"), ...others.map((command) => ({ ...command, env }))],
    { log, onLine },
    () => isUp,
  );
  const up = await Promise.all(plan.healthUrls.map((url) => waitUntilHealthy(url, stopping)));
  if (up.every(Boolean)) {
    isUp = true;
    const url = options.pageUrl ?? plan.url;
    if (options.terminal) print(banner(url, wayIn));
    else log.write("", `Mulkko is running at ${url}`);
  }
  return ended;
};
