import { type Output, type Service, type ServiceCommand, startService } from "./service.ts";

export interface Supervised {
  /** Aborted as soon as the processes are being stopped, whatever the reason. */
  readonly stopping: AbortSignal;
  /** Fulfils with the exit code for us when every process has ended. */
  readonly ended: Promise<number>;
}

/**
 * Runs processes that live and end together: when one ends by itself the others are stopped and the reason is
 * printed; SIGINT and SIGTERM are passed on to all of them.
 */
export const supervise = (commands: readonly ServiceCommand[], output: Output): Supervised => {
  const stopping = new AbortController();
  const services = commands.map((command) => startService(command, output));

  const stopAll = (signal: NodeJS.Signals): void => {
    stopping.abort();
    for (const service of services) service.stop(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopAll(signal));

  const watch = async (service: Service): Promise<number> => {
    const code = await service.ended;
    if (stopping.signal.aborted) return code;
    output.log.write(
      "",
      `The ${service.name} has ended by itself (exit code ${code}); everything is stopped.`,
    );
    stopAll("SIGTERM");
    return code === 0 ? 1 : code;
  };
  const ended = Promise.all(services.map(watch)).then((codes) => Math.max(...codes));
  return { stopping: stopping.signal, ended };
};
