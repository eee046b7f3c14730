import type { CloseIntent, Intent, OpenIntent } from "../core/intent.ts";
import type { OutgoingCommand, SendResult } from "../ports/valves.ts";
import type { DeskTools } from "./desk-tools.ts";

/** An opening as it leaves, with the token of the person who pressed (CRED-2). */
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
 * A close as it leaves. A person's goes with their token, the relay's own with its session, each with the other
 * after every send that was turned away (CRED-1).
 */
export function outgoingClose(
  intent: CloseIntent,
  sendId: string,
  token: string | null,
  turnedAway: number,
): OutgoingCommand {
  const personFirst = intent.why === "pressed" ? 0 : 1;
  const asPerson = token !== null && turnedAway % 2 === personFirst;
  return { ...addressOf(intent), commandId: sendId, payload: 2, ...(asPerson ? { token } : {}) };
}

function addressOf(intent: Intent) {
  const { form, controllerId, number, traceId } = intent;
  return { form, controllerId, number, command: "onoff", traceId };
}

/** Sends without waiting; what becomes of it comes to `answer`, also when the edge breaks its word and throws. */
export function dispatch(
  { upstream, log }: Pick<DeskTools, "upstream" | "log">,
  command: OutgoingCommand,
  answer: (result: SendResult) => void,
): void {
  upstream.send(command).then(answer, (error: unknown) => {
    log.error({ err: error, traceId: command.traceId }, "sending a command failed");
    answer({ kind: "unknown", message: "the command's answer is not known" });
  });
}
