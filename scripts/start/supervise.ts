import { setTimeout as sleep } from "node:timers/promises";
import { STOP_SIGNALS } from "../../shared/src/server/run-server.ts";
import { whenLauncherEnds } from "./launcher.ts";
import { type Output, type Service, type ServiceCommand, startService } from "./service.ts";

export interface Supervised {
  /** Aborted as soon as the processes are being stopped, for any reason. */
  readonly stopping: AbortSignal;
  /** Resolves with our exit code when every process has ended. */
  readonly ended: Promise<number>;
}

/** Window in which the ends of one process are counted, ms, and their maximum; then it is not restarted. */
const WINDOW_MS = 60_000;
const ENDS_AT_MOST = 5;
/** Delay before a restart, ms; each further end within the window doubles it. */
const FIRST_WAIT_MS = 500;

/** Possible reactions to a process that ended by itself. */
type Decision = { readonly kind: "again"; readonly afterMs: number } | { readonly kind: "give-up" };

/** @param ends times at which the process ended by itself, monotonic ms, up to now */
function decideRestart(ends: readonly number[], now: number): Decision {
  const recent = ends.filter((at) => now - at < WINDOW_MS).length;
  if (recent >= ENDS_AT_MOST) return { kind: "give-up" };
  return { kind: "again", afterMs: FIRST_WAIT_MS * 2 ** Math.max(0, recent - 1) };
}

/**
 * Run processes that are stopped together, by a signal or with the command that has launched this one. A process that ends by itself is restarted
 * while the others continue. One that ends again and again within a minute stops all of them.
 *
 * @param isUp true once all have answered: a process that ends before that could never work, and is not
 * restarted
 */
export const supervise = (
  commands: readonly ServiceCommand[],
  output: Output,
  isUp: () => boolean,
): Supervised => {
  const stopping = new AbortController();
  const running = new Set<Service>();
  const say = (line: string): void => output.log.write("", line);

  const stopAll = (signal: NodeJS.Signals): void => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    for (const service of running) service.stop(signal);
  };
  // Further signals change nothing: a second Ctrl-C must not end this process before its servers.
  for (const signal of STOP_SIGNALS) process.on(signal, () => stopAll(signal));
  whenLauncherEnds((launcher) => {
    say(`${launcher} has ended; everything is stopped.`);
    stopAll("SIGTERM");
  });

  const keep = async (command: ServiceCommand): Promise<number> => {
    let ends: readonly number[] = [];
    for (;;) {
      const service = startService(command, output);
      running.add(service);
      const code = await service.ended;
      running.delete(service);
      if (stopping.signal.aborted) return code;
      const now = performance.now();
      ends = [...ends, now].slice(-ENDS_AT_MOST);
      const decision: Decision = isUp() ? decideRestart(ends, now) : { kind: "give-up" };
      const ended = `The ${command.name} has ended by itself (exit code ${code})`;
      if (decision.kind === "give-up") {
        const often = isUp() ? `, ${ENDS_AT_MOST} times within a minute` : "";
        say(`${ended}${often}; everything is stopped.`);
        stopAll("SIGTERM");
        return code === 0 ? 1 : code;
      }
      say(`${ended}; it is started again.`);
      await sleep(decision.afterMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return 0;
    }
  };
  const ended = Promise.all(commands.map(keep)).then((codes) => Math.max(...codes));
  return { stopping: stopping.signal, ended };
};
