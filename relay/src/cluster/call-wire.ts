import { type Parsed, parse } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { TokenCipher } from "../access/vault.ts";
import type { OwnerCall } from "../runtime/owner-call.ts";
import type { SentCall } from "./messages.ts";

type Request = Readonly<Record<string, unknown>>;

/** ms of an answer's time reserved for the network between the nodes. */
const WAY_MS = 500;

const Timed = Type.Object({ answerWithinMs: Type.Number() });

/** Change the texts of a request that are secret. */
function withSecrets(
  { secret = [] }: OwnerCall,
  request: Request,
  change: (text: string) => string,
): Request {
  const changed = { ...request };
  for (const field of secret) {
    const text = changed[field];
    if (typeof text === "string") changed[field] = change(text);
  }
  return changed;
}

/** @throws Error if the other node encrypts otherwise */
function open(cipher: TokenCipher, encrypted: string): string {
  const text = cipher.open(encrypted);
  if (text === null) throw new Error("another node encrypts with another RELAY_SECRET");
  return text;
}

/** Return a call as it is sent to another node, and the time within which the answer is needed, ms. */
export function sentCall(
  call: OwnerCall,
  request: Request,
  cipher: TokenCipher,
): { sent: SentCall; withinMs: number } {
  const own = parse(Timed, request);
  const withinMs = own.ok ? own.value.answerWithinMs : call.withinMs;
  const isTimed = "answerWithinMs" in call.request.properties;
  const sent = {
    ...withSecrets(call, request, cipher.encrypt),
    ...call.earlier?.since,
    ...(isTimed && { answerWithinMs: Math.max(WAY_MS, withinMs - WAY_MS) }),
    do: call.wire,
  };
  return { sent, withinMs };
}

/** Return the request of a call that another node has sent. @throws Error as {@link open} */
export function readRequest(call: OwnerCall, sent: SentCall, cipher: TokenCipher): Parsed<Request> {
  const { do: _, ...fields } = sent;
  const request = parse(call.request, fields);
  return request.ok ? { ok: true, value: withSecrets(call, fields, (text) => open(cipher, text)) } : request;
}

/** Return an owner's reply as it is sent to the node that asked. */
export function sentReply(call: OwnerCall, asked: Request, reply: unknown, cipher: TokenCipher): unknown {
  if (call.secretReply) return cipher.encrypt(String(reply));
  const { earlier } = call;
  const isOfToday = Object.keys(earlier?.since ?? {}).every((field) => field in asked);
  return earlier === undefined || isOfToday ? reply : earlier.write(reply);
}

/** Return the reply that another node has sent. @throws Error if it is none to this call */
export function readReply(call: OwnerCall, sent: unknown, cipher: TokenCipher): unknown {
  const { earlier, secretReply } = call;
  const reply = parse(call.reply, sent);
  if (reply.ok) return secretReply ? open(cipher, String(reply.value)) : reply.value;
  const former = earlier && parse(earlier.reply, sent);
  if (!former?.ok) throw new Error(`another node's answer ${reply.message} (${reply.path})`);
  return earlier?.read(former.value);
}
