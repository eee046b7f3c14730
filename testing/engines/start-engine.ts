import { dockerAnswers } from "./docker.ts";

/** Ways to run one engine, in the order of the attempts. */
export interface EngineWays<T> {
  /** Name in messages: "PostgreSQL". */
  readonly name: string;
  /** The one line that installs it on Debian. */
  readonly install: string;
  readonly container: () => Promise<T>;
  /** Null if this machine has no such program. */
  readonly local: (() => Promise<T>) | null;
}

/**
 * Start an engine in a container if Docker answers, else from the program on this machine. If a container
 * does not start (no network, no image), the local program is used.
 *
 * @throws Error with the line that installs the engine, without either: tests fail, never skip
 */
export const startEngine = async <T>({ name, install, container, local }: EngineWays<T>): Promise<T> => {
  if (await dockerAnswers()) {
    try {
      return await container();
    } catch (error) {
      if (local === null) throw new Error(`${name} did not start in Docker`, { cause: error });
      process.stderr.write(`${name} did not start in Docker, the local one is used: ${String(error)}\n`);
    }
  }
  if (local === null) {
    throw new Error(`This test needs ${name}: start a Docker engine, or type: ${install}`);
  }
  return local();
};
