import { rm } from "node:fs/promises";
import type { ImportProgress } from "@mulkko/shared/rest/import";
import type { FastifyBaseLogger } from "fastify";
import { ApiError } from "../http/api-error.ts";
import { ImportError } from "./mapping.ts";
import { emptyReport, type Report } from "./report.ts";

/** Number of newest imports whose reports are kept. */
const MAX_KEPT = 20;

/** A file that has been received completely. */
export interface SpooledFile {
  readonly path: string;
  /** Name given by its sender. */
  readonly name: string;
  readonly bytes: number;
}

export type Work = (
  report: Report,
  options: { readonly signal: AbortSignal; readonly progress: (bytes: number) => void },
) => Promise<void>;

/** Imports of this process: one at a time, with the reports of the last ones. */
export interface Imports {
  /** Reserve the only slot. @throws ApiError 409 where it is in use */
  reserve(): void;
  /** Release a reserved slot without an import. */
  release(): void;
  /** Begin in the reserved slot; the file is removed at the end. */
  begin(id: string, file: SpooledFile, work: Work): void;
  find(id: string): ImportProgress | undefined;
  /** Cancel a running import; stored readings stay. Resolve once it has stopped. */
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
        if (!(error instanceof ImportError))
          logger.error({ event: "import-failed", err: error, import: job.id }, "import failed");
      }
    } finally {
      isTaken = false;
      const { state, problem } = job;
      logger.info(
        { event: "import-ended", import: job.id, state, problem, stored: report.readingsStored },
        "import ended",
      );
    }
    await rm(file.path, { force: true }).catch((error: unknown) =>
      logger.warn(
        { event: "import-file-not-removed", err: error },
        "cannot remove imported file; retrying at next start",
      ),
    );
  }

  return {
    reserve() {
      if (isTaken) throw new ApiError(409, "conflict", "another import is already running");
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
