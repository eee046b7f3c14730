import { rm } from "node:fs/promises";
import type { ImportProgress } from "@mulkko/shared/rest/import";
import type { FastifyBaseLogger } from "fastify";
import { ApiError } from "../http/api-error.ts";
import { ImportError } from "./import-error.ts";
import { emptyReport, type Report } from "./report.ts";

/** Imports whose reports are kept, the newest. */
const MAX_KEPT = 20;

/** A file that has come in whole. */
export interface SpooledFile {
  readonly path: string;
  /** As its sender calls it. */
  readonly name: string;
  readonly bytes: number;
}

export type Work = (
  report: Report,
  options: { readonly signal: AbortSignal; readonly progress: (bytes: number) => void },
) => Promise<void>;

/** Imports of this process: one at a time, with the reports of the last ones. */
export interface Imports {
  /** Takes the only place. @throws ApiError 409 where there is none */
  reserve(): void;
  /** Gives a place back that no import was begun on. */
  release(): void;
  /** Begins on the reserved place; the file is removed in the end. */
  begin(id: string, file: SpooledFile, work: Work): void;
  find(id: string): ImportProgress | undefined;
  /** Stops it where it runs; what is stored stays. Resolves once it has stopped. */
  cancel(id: string): Promise<void>;
  stop(): Promise<void>;
}

interface Job {
  readonly id: string;
  readonly file: SpooledFile;
  readonly report: Report;
  readonly abort: AbortController;
  bytesRead: number;
  state: ImportProgress["state"];
  problem: string | null;
  ended: Promise<void>;
}

const AWAY = "The database went away. Import the file again: what is stored already is not stored twice.";

export function createImports(logger: FastifyBaseLogger): Imports {
  const jobs = new Map<string, Job>();
  let isTaken = false;

  async function run(job: Job, work: Work): Promise<void> {
    const { abort, report, file } = job;
    const progress = (bytes: number): void => {
      job.bytesRead += bytes;
    };
    try {
      await work(report, { signal: abort.signal, progress });
      job.state = "done";
    } catch (error) {
      if (abort.signal.aborted) {
        job.state = "cancelled";
      } else {
        job.state = "failed";
        job.problem = error instanceof ImportError ? error.message : AWAY;
        if (!(error instanceof ImportError)) logger.error({ err: error, import: job.id }, "import failed");
      }
    } finally {
      isTaken = false;
      const { state, problem } = job;
      logger.info({ import: job.id, state, problem, stored: report.readingsStored }, "import is over");
    }
    await rm(file.path, { force: true }).catch((error: unknown) =>
      logger.warn({ err: error }, "an imported file could not be removed; it goes at the next start"),
    );
  }

  return {
    reserve() {
      if (isTaken) throw new ApiError(409, "conflict", "another import is under way");
      isTaken = true;
    },
    release() {
      isTaken = false;
    },
    begin(id, file, work) {
      const job: Job = {
        id,
        file,
        report: emptyReport(),
        abort: new AbortController(),
        bytesRead: 0,
        state: "running",
        problem: null,
        ended: Promise.resolve(),
      };
      jobs.set(id, job);
      for (const old of [...jobs.keys()].slice(0, -MAX_KEPT)) jobs.delete(old);
      job.ended = run(job, work);
    },
    find(id) {
      const job = jobs.get(id);
      if (!job) return undefined;
      const { file, state, problem, bytesRead, report } = job;
      const { reasons, rejects, ...counts } = report;
      return {
        id,
        file: file.name,
        state,
        problem,
        bytesRead,
        bytesTotal: file.bytes,
        ...counts,
        reasons: { ...reasons },
        rejects: [...rejects],
      };
    },
    async cancel(id) {
      const job = jobs.get(id);
      job?.abort.abort();
      await job?.ended;
    },
    async stop() {
      for (const { abort, ended } of jobs.values()) {
        abort.abort();
        await ended;
      }
    },
  };
}
