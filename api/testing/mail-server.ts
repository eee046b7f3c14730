import { once } from "node:events";
import { createServer } from "node:net";

/** A mail that the server accepted. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  readonly source: string;
}

/** A mail server that keeps its mails. */
export interface MailServer {
  readonly url: string;
  readonly received: ReceivedMail[];
  /** SMTP answer to every recipient; 250 accepts the mail. */
  answer: string;
  /** SMTP answer to every sender. */
  senderAnswer: string;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = createServer((socket) => {
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    let [from, to, source] = ["", "", ""];
    let isData = false;
    let rest = "";
    const handle = (line: string): void => {
      if (isData && line === ".") {
        isData = false;
        received.push({ from, to, source });
        say("250 taken");
      } else if (isData) {
        source += `${line}\n`;
      } else if (/^EHLO/i.test(line)) {
        say("250 mail.test");
      } else if (/^MAIL FROM:/i.test(line)) {
        from = line.slice(10);
        say(mailServer.senderAnswer);
      } else if (/^RCPT TO:/i.test(line)) {
        to = line.slice(8);
        say(mailServer.answer);
      } else if (/^DATA/i.test(line)) {
        isData = true;
        source = "";
        say("354 go on");
      } else if (/^QUIT/i.test(line)) {
        say("221 bye");
        socket.end();
      } else {
        say("250 ok");
      }
    };
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      const lines = `${rest}${chunk.toString("utf8")}`.split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) handle(line);
    });
    say("220 mail.test");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    received,
    answer: "250 ok",
    senderAnswer: "250 ok",
    async close() {
      server.close();
      await once(server, "close");
    },
  };
  return mailServer;
}
