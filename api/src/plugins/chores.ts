import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import cron from "node-cron";
import { sweepNotifications } from "../alerts/repository.ts";
import { closeHours } from "../history/closing.ts";
import { type Retention, sweepHistory } from "../history/retention.ts";
import { sweepRecovery } from "../modules/account/recovery.ts";
import { sweepSessions } from "../modules/account/sessions.ts";
import { sweepSignIns } from "../modules/account/sign-ins.ts";
import { purgeTrash } from "../modules/admin-users/trash.ts";
import { sweepDeeds } from "../modules/audit/repository.ts";
import { sweepCommands } from "../modules/command/log.ts";
import { sweepKeys } from "../modules/command/repository.ts";
import { sweepContacts } from "../modules/contact/repository.ts";
import { sweepImages } from "../modules/image/repository.ts";
import { sweepOutbox } from "../modules/mail/outbox.ts";

/** Minutes and hours in the API's zone: not where clocks change, and before PGlite clears its dead rows. */
const MINUTELY = "* * * * *";
const HOURLY = "11 * * * *";
const NIGHTLY = "7 3 * * *";
/** After PGlite has cleared its dead rows. A machine that is off at night catches up in the hour after its start. */
const BACKUP_NIGHTLY = "27 3 * * *";
const BACKUP_HOURLY = "51 * * * *";
/** Ages of the newest backup from which another is made, ms: at night, and at any hour. */
const BACKUP_AGE_MS = { night: 12 * 3_600_000, hour: 26 * 3_600_000 } as const;

declare module "fastify" {
  interface FastifyInstance {
    chores: {
      /** Closes the hours of history that are over. */
      minutely(): Promise<void>;
      /** Forgets tokens, sessions, commands and their keys, deeds, messages, notifications and files that have had their time. */
      hourly(): Promise<void>;
      /** Forgets history that has had its time, and makes room for the month to come. */
      nightly(): Promise<void>;
      /** Makes and keeps a backup where one is due. */
      backup(when: keyof typeof BACKUP_AGE_MS): Promise<void>;
    };
  }
}

export interface ChoresOptions {
  readonly clock: Clock;
  readonly timezone: string;
  readonly retention: Retention;
  /** false: only when told to. */
  readonly isScheduled: boolean;
}

/** What nobody asks for: forgetting. A chore that fails is done the next time. */
export const choresPlugin = fp<ChoresOptions>(
  async (app, { clock, timezone, retention, isScheduled }) => {
    const { database } = app;
    const sweeps: readonly ((now: number) => Promise<unknown>)[] = [
      (now) => sweepSessions(database, now),
      (now) => sweepKeys(database, now),
      (now) => sweepRecovery(database, now),
      (now) => sweepOutbox(database, now),
      () => sweepNotifications(database),
      (now) => sweepDeeds(database, now),
      (now) => purgeTrash(database, now),
      (now) => sweepSignIns(database, now),
      (now) => sweepCommands(database, now),
      (now) => sweepContacts(database, now),
      (now) => sweepImages(database, app.images, now),
    ];
    const chores = {
      async minutely() {
        await closeHours(database, clock.now()).catch((error: unknown) =>
          app.log.warn({ err: error }, "hours that are over could not be closed; tried again in a minute"),
        );
      },
      async hourly() {
        // One that fails does not keep the others from their work.
        for (const sweep of sweeps) {
          await sweep(clock.now()).catch((error: unknown) =>
            app.log.warn({ err: error }, "what has had its time could not be swept; tried again in an hour"),
          );
        }
      },
      async nightly() {
        try {
          const { rows, tables } = await sweepHistory(database, retention, clock.now());
          app.log.info({ rows, tables }, "history that has had its time is gone");
        } catch (error) {
          app.log.warn({ err: error }, "history could not be swept; tried again in the night to come");
        }
      },
      async backup(when: keyof typeof BACKUP_AGE_MS) {
        try {
          const name = await app.backups.keep(BACKUP_AGE_MS[when]);
          if (name !== null) app.log.info({ name }, "backup verified and kept");
        } catch (error) {
          app.log.error({ err: error }, "backup failed; tried again within an hour");
        }
      },
    };
    const options = { timezone, noOverlap: true };
    const tasks = isScheduled
      ? [
          cron.schedule(MINUTELY, () => chores.minutely(), options),
          cron.schedule(HOURLY, () => chores.hourly(), options),
          cron.schedule(NIGHTLY, () => chores.nightly(), options),
          cron.schedule(BACKUP_NIGHTLY, () => chores.backup("night"), options),
          cron.schedule(BACKUP_HOURLY, () => chores.backup("hour"), options),
        ]
      : [];
    app.decorate("chores", chores);
    app.addHook("onClose", async () => {
      for (const task of tasks) await task.destroy();
    });
  },
  { name: "chores", dependencies: ["database", "image", "backup"] },
);
