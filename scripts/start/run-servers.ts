import { LEAN_API_ENVIRONMENT, LEAN_API_OPTIONS } from "../process/lean-api.ts";
import { banner } from "./banner.ts";
import { type Environment, planStart, processEnvironment, type StartPlan } from "./environment.ts";
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

export interface RunOptions {
  readonly root: string;
  readonly environment: Environment;
  /** What Node is given before the script of the API and the relay, such as `--watch`. */
  readonly nodeOptions: readonly string[];
  /** Processes beside the API and the relay. */
  readonly others: readonly Omit<ServiceCommand, "env">[];
  /** Where people look; the relay itself when left out. */
  readonly pageUrl?: string;
}

/**
 * Runs the bundled API (unless API_URL names another) and the relay until they end or a signal comes.
 *
 * @returns the exit code
 * @throws Error with a sentence for the person at the terminal when it cannot start
 */
export const runServers = async (options: RunOptions): Promise<number> => {
  const { root, environment, nodeOptions, others } = options;
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
  const { stopping, ended } = supervise([
    ...(plan.startsApi ? [api] : []),
    server("relay"),
    ...others.map((command) => ({ ...command, env })),
  ]);
  const up = await Promise.all(plan.healthUrls.map((url) => waitUntilHealthy(url, stopping)));
  if (up.every(Boolean)) {
    console.log(banner(options.pageUrl ?? plan.url, plan.hasDemo));
  }
  return ended;
};
