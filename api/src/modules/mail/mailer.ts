import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyBaseLogger } from "fastify";
import type { Database, Queryable } from "../../database/database.ts";
import { claimMails, insertMail, markNotSent, markSent, RETRY_AFTER_MS, type WaitingMail } from "./outbox.ts";
import { type Mail, MailError, type MailTransport } from "./transport.ts";

/** Mails to accounts: stored first, then sent as soon as the mail server takes them. */
export interface Mailer {
  /** Stores a mail, within the transaction of whoever writes it. */
  post(database: Queryable, accountId: string, mail: Mail): Promise<void>;
  /** Sends what is due; one run at a time. Never throws. */
  drain(): Promise<void>;
}

/** @param transport null where there is no mail server: mails then stay for the administrator */
export function createMailer(parts: {
  readonly database: Database;
  readonly transport: MailTransport | null;
  readonly clock: Clock;
  readonly logger: FastifyBaseLogger;
}): Mailer {
  const { database, transport, clock, logger } = parts;
  let running: Promise<void> | null = null;

  const sendOne = async (way: MailTransport, mail: WaitingMail): Promise<void> => {
    const { id, to, subject, text, attempts } = mail;
    try {
      await way.send({ to, subject, text });
    } catch (error) {
      const wait = RETRY_AFTER_MS[attempts - 1];
      const isOver = wait === undefined || (error instanceof MailError && !error.shouldRetry());
      logger.warn({ err: error, mail: id, attempts }, isOver ? "a mail was given up" : "a mail waits");
      const reason = error instanceof Error ? error.message : "unknown";
      await markNotSent(database, id, reason, isOver ? null : clock.now() + wait);
      return;
    }
    await markSent(database, id);
  };

  const sendDue = async (way: MailTransport): Promise<void> => {
    try {
      for (;;) {
        const mails = await claimMails(database, clock.now());
        if (mails.length === 0) return;
        for (const mail of mails) await sendOne(way, mail);
      }
    } catch (error) {
      logger.warn({ err: error }, "mails wait: the outbox cannot be read");
    }
  };

  return {
    post: (tx, accountId, mail) =>
      insertMail(tx, accountId, mail, transport ? "waiting" : "kept", clock.now()),
    drain() {
      if (!transport) return Promise.resolve();
      running ??= sendDue(transport).finally(() => {
        running = null;
      });
      return running;
    },
  };
}
