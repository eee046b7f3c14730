import type { Log } from "../runtime/log.ts";
import type { OutgoingCommand, SendResult, ValveUpstream } from "../upstream/outgoing-command.ts";
import type { CloseIntent, Intent, OpenIntent } from "./intent.ts";

/** Return an opening as it is sent, with the token of the person who gave the command (CRED-2). */
export function outgoingOpen(
  intent: OpenIntent,
  send: { remainingSeconds: number; expiresAt: number },
  token: string,
): OutgoingCommand {
  return {
    ...addressOf(intent),
    commandId: intent.commandId,
    payload: 1,
    maxRunSeconds: send.remainingSeconds,
    expiresAt: send.expiresAt,
    token,
  };
}

/**
 * Return a close as it is sent. A person's close uses their token, the relay's own close its session, and an
 * administrator's close in another account that account's session. After each rejected send the other
 * credential is used (CRED-1).
 */
export function outgoingClose(
  intent: CloseIntent,
  sendId: string,
  token: string | null,
  turnedAway: number,
  byAdministrator = false,
): OutgoingCommand {
  const personFirst = intent.why === "pressed" && !byAdministrator ? 0 : 1;
  const asPerson = token !== null && turnedAway % 2 === personFirst;
  return { ...addressOf(intent), commandId: sendId, payload: 2, ...(asPerson ? { token } : {}) };
}

function addressOf(intent: Intent) {
  const { form, controllerId, number, traceId } = intent;
  return { form, controllerId, number, command: "onoff", traceId };
}

/** Send without waiting. Pass the outcome to `answer`, also when the upstream throws against its contract. */
export function dispatch(
  { upstream, log }: { upstream: ValveUpstream; log: Log },
  command: OutgoingCommand,
  answer: (result: SendResult) => void,
): void {
  upstream.send(command).then(answer, (error: unknown) => {
    log.error({ event: "command-send-failed", err: error, traceId: command.traceId }, "cannot send command");
    answer({ kind: "unknown", message: "the command's answer is unknown" });
  });
}
