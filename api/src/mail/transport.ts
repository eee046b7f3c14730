import { createTransport } from "nodemailer";

/** Timeout of a connection to a mail server, ms. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Connection to a mail server. */
export interface MailTransport {
  /** @throws MailError */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** A mail that was not sent; the message is the server's answer. */
export class MailError extends Error {
  override readonly name = "MailError";
  /** False for a permanent refusal, such as an unknown address. */
  readonly temporary: boolean;

  constructor(message: string, temporary: boolean) {
    super(message);
    this.temporary = temporary;
  }

  shouldRetry(): boolean {
    return this.temporary;
  }
}

/** SMTP replies from here on are permanent (RFC 5321 4.2.1). */
const PERMANENT = 500;
/** Commands whose refusal is about this mail: its recipient and its text. Any other is about the connection. */
const OF_THE_MAIL: ReadonlySet<unknown> = new Set(["RCPT TO", "DATA"]);

function mailErrorOf(error: unknown): MailError {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && "responseCode" in error ? error.responseCode : undefined;
  const command = error instanceof Error && "command" in error ? error.command : undefined;
  const isOver = typeof code === "number" && code >= PERMANENT && OF_THE_MAIL.has(command);
  return new MailError(message, !isOver);
}

/** @param url `smtp://` or `smtps://`, with user and password where the server requires them */
export function createSmtpTransport(url: string, from: string): MailTransport {
  const transport = createTransport(
    { url, connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
    { from },
  );
  return {
    async send(mail) {
      try {
        await transport.sendMail({ ...mail, disableFileAccess: true, disableUrlAccess: true });
      } catch (error) {
        throw mailErrorOf(error);
      }
    },
    close: () => transport.close(),
  };
}
