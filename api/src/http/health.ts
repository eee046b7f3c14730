import type { EventLoopWatch } from "@mulkko/shared/server/event-loop";
import { fileHandles, hasHandles, RESERVED_HANDLES } from "@mulkko/shared/server/file-handles";
import { isOperator } from "@mulkko/shared/server/operator-access";
import fp from "fastify-plugin";
import type { App } from "./server.ts";

/** Event-loop delay from which this process is not ready, ms. */
const MAX_DELAY_MS = 200;

/**
 * Serve `/health`: the process is alive. Serve `/ready`: it can work; operators read what is missing if not.
 */
export const healthPlugin = fp<{ readonly token: string | undefined; readonly eventLoop: EventLoopWatch }>(
  async (app: App, { token, eventLoop: delay }) => {
    app.addHook("onClose", async () => delay.close());

    /** `ready` does not depend on the age of backups: it is no reason to redirect users. */
    const backupAge = async () => {
      const { kept, newest, count, overdue } = await app.backups.state();
      return { kept, newest: newest === null ? null : new Date(newest).toISOString(), count, overdue };
    };

    app.get("/health", async () => ({ status: "ok" }));
    app.get("/ready", async (request, reply) => {
      await app.storage.look();
      const { fault, since, disk } = app.storage.state;
      const database = app.storage.databaseTakesRows;
      const broker = app.broker.isUp();
      const p99 = delay.p99();
      const eventLoop = p99 <= MAX_DELAY_MS;
      const open = await fileHandles();
      // The embedded database opens files as it works.
      const handles = hasHandles(open, RESERVED_HANDLES / 2);
      const room = app.broker.hasRoom();
      const ready = fault === null && database && broker && eventLoop && handles && room;
      reply.code(ready ? 200 : 503);
      if (!isOperator(request.raw, token)) return reply.send({ ready });
      return reply.send({
        ready,
        database,
        broker,
        room,
        cut: app.broker.cuts(),
        storage: { ok: fault === null, fault, since, code: app.storage.code },
        disk,
        handles: { ok: handles, ...open },
        eventLoop: { ok: eventLoop, p99Ms: Math.round(p99) },
        backup: await backupAge(),
        rejected: app.ingest.deadLetters.counts(),
        ignored: app.ingest.ignored(),
      });
    });
  },
  { name: "health", dependencies: ["storage"] },
);
