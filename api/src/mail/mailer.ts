import type { Clock } from "@mulkko/shared/rules/clock";
import type { FastifyBaseLogger } from "fastify";
import type { Database, Queryable } from "../database/database.ts";
import { claimMails, insertMail, markNotSent, markSent, RETRY_AFTER_MS, type WaitingMail } from "./outbox.ts";
import { type Mail, MailError, type MailTransport } from "./transport.ts";

/** Send mails to accounts: first stored, then sent as soon as the mail server accepts them. */
export interface Mailer {
  /** Store a mail, in the caller's transaction. */
  post(database: Queryable, accountId: string, mail: Mail): Promise<void>;
  /** Send due mails; one run at a time. Never throws. */
  drain(): Promise<void>;
}

/** @param transport null without a mail server: mails then stay for the administrator */
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
      logger.warn(
        { event: isOver ? "mail-given-up" : "mail-delayed", err: error, mail: id, attempts },
        isOver ? "gave up on mail" : "delayed mail",
      );
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
      logger.warn({ event: "outbox-read-failed", err: error }, "cannot read outbox; mails are delayed");
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
