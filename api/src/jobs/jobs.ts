import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import cron from "node-cron";
import { sweepRecovery } from "../accounts/recovery.ts";
import { sweepSessions } from "../accounts/sessions.ts";
import { sweepSignIns } from "../accounts/sign-ins.ts";
import { purgeTrash } from "../admin/trash.ts";
import { sweepAuditEntries } from "../audit/repository.ts";
import { sweepContacts } from "../contact/repository.ts";
import { closeHours } from "../history/closing.ts";
import { type Retention, sweepHistory } from "../history/retention.ts";
import { sweepImages } from "../images/repository.ts";
import { sweepOutbox } from "../mail/outbox.ts";
import { sweepNotifications } from "../notifications/alerts/repository.ts";
import { sweepCommands } from "../valves/command-log.ts";
import { sweepKeys } from "../valves/command-repository.ts";

/** Schedules in the API's zone, outside of clock changes, and before PGlite vacuums. */
const MINUTELY = "* * * * *";
const HOURLY = "11 * * * *";
const NIGHTLY = "7 3 * * *";
/** After PGlite has vacuumed. A machine that is off at night catches up in the hour after its start. */
const BACKUP_NIGHTLY = "27 3 * * *";
const BACKUP_HOURLY = "51 * * * *";
/** Ages of the newest backup at which another is made, ms: at night, and at any hour. */
const BACKUP_AGE_MS = { night: 12 * 3_600_000, hour: 26 * 3_600_000 } as const;

declare module "fastify" {
  interface FastifyInstance {
    jobs: {
      /** Close past hours of history. */
      minutely(): Promise<void>;
      /**
       * Delete expired tokens, sessions, commands and their keys, audit entries, messages, notifications and
       * files.
       */
      hourly(): Promise<void>;
      /** Delete expired history, and create the partition of the next month. */
      nightly(): Promise<void>;
      /** Make and store a backup if one is due. */
      backup(when: keyof typeof BACKUP_AGE_MS): Promise<void>;
    };
  }
}

export interface JobsOptions {
  readonly clock: Clock;
  readonly timezone: string;
  readonly retention: Retention;
  /** false: jobs run only when called. */
  readonly isScheduled: boolean;
}

/** Run scheduled jobs, mostly deletions. A failed job runs again next time. */
export const jobsPlugin = fp<JobsOptions>(
  async (app, { clock, timezone, retention, isScheduled }) => {
    const { database } = app;
    const sweeps: readonly ((now: number) => Promise<unknown>)[] = [
      (now) => sweepSessions(database, now),
      (now) => sweepKeys(database, now),
      (now) => sweepRecovery(database, now),
      (now) => sweepOutbox(database, now),
      () => sweepNotifications(database),
      (now) => sweepAuditEntries(database, now),
      (now) => purgeTrash(database, now),
      (now) => sweepSignIns(database, now),
      (now) => sweepCommands(database, now),
      (now) => sweepContacts(database, now),
      (now) => sweepImages(database, app.images, now),
    ];
    const jobs = {
      async minutely() {
        await closeHours(database, clock.now()).catch((error: unknown) =>
          app.log.warn(
            { event: "hour-closing-failed", err: error },
            "cannot close past hours; retrying in a minute",
          ),
        );
      },
      async hourly() {
        // A failed job does not stop the others.
        for (const sweep of sweeps) {
          await sweep(clock.now()).catch((error: unknown) =>
            app.log.warn(
              { event: "sweep-failed", err: error },
              "cannot delete expired data; retrying in an hour",
            ),
          );
        }
      },
      async nightly() {
        try {
          const { rows, tables } = await sweepHistory(database, retention, clock.now());
          app.log.info({ event: "history-deleted", rows, tables }, "deleted expired history");
        } catch (error) {
          app.log.warn(
            { event: "history-sweep-failed", err: error },
            "cannot delete expired history; retrying next night",
          );
        }
      },
      async backup(when: keyof typeof BACKUP_AGE_MS) {
        try {
          const name = await app.backups.keep(BACKUP_AGE_MS[when]);
          if (name !== null) app.log.info({ event: "backup-stored", name }, "stored verified backup");
        } catch (error) {
          app.log.error({ event: "backup-failed", err: error }, "backup failed; retrying within an hour");
        }
      },
    };
    const options = { timezone, noOverlap: true };
    const tasks = isScheduled
      ? [
          cron.schedule(MINUTELY, () => jobs.minutely(), options),
          cron.schedule(HOURLY, () => jobs.hourly(), options),
          cron.schedule(NIGHTLY, () => jobs.nightly(), options),
          cron.schedule(BACKUP_NIGHTLY, () => jobs.backup("night"), options),
          cron.schedule(BACKUP_HOURLY, () => jobs.backup("hour"), options),
        ]
      : [];
    app.decorate("jobs", jobs);
    app.addHook("onClose", async () => {
      for (const task of tasks) await task.destroy();
    });
  },
  { name: "jobs", dependencies: ["database", "image", "backup"] },
);
