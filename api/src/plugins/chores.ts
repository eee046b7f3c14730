import type { Clock } from "@mulkko/shared/rules/clock";
import fp from "fastify-plugin";
import { sweepSessions } from "../modules/account/sessions.ts";
import { sweepKeys } from "../modules/command/repository.ts";

const EVERY_MS = 3_600_000;

/** Forgets what has had its time: tokens, sessions, keys of commands. */
export const choresPlugin = fp<{ clock: Clock }>(
  async (app, { clock }) => {
    const sweep = async (): Promise<void> => {
      try {
        await sweepSessions(app.database, clock.now());
        await sweepKeys(app.database, clock.now());
      } catch (error) {
        app.log.warn({ err: error }, "old sessions could not be swept; tried again in an hour");
      }
    };
    const timer = setInterval(() => void sweep(), EVERY_MS);
    timer.unref();
    app.addHook("onClose", async () => clearInterval(timer));
  },
  { name: "chores", dependencies: ["database"] },
);
