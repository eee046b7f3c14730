import { dockerAnswers } from "./docker.ts";

/** The ways to one engine, in the order in which they are tried. */
export interface EngineWays<T> {
  /** As a person calls it, for messages: "PostgreSQL". */
  readonly name: string;
  /** The one line that installs it on Debian. */
  readonly install: string;
  readonly container: () => Promise<T>;
  /** Null where this machine has no such program. */
  readonly local: (() => Promise<T>) | null;
}

/**
 * Starts an engine in a container where Docker answers, else from the program on this machine. A container
 * that does not start (no network, no image) gives way to the local program.
 *
 * @throws Error with the line that installs the engine, where neither way is open: tests fail, never skip
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
