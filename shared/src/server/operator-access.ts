import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** True for a direct caller on this machine, without a proxy. */
const isLocal = ({ socket, headers }: Pick<IncomingMessage, "socket" | "headers">): boolean =>
  /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(socket.remoteAddress ?? "") &&
  headers["x-forwarded-for"] === undefined &&
  headers.forwarded === undefined;

/**
 * Return true for a caller who may read what is meant for operators: with `METRICS_TOKEN` set, a client that sends
 * it; otherwise this machine alone.
 *
 * @param token METRICS_TOKEN
 */
export function isOperator(
  request: Pick<IncomingMessage, "socket" | "headers">,
  token: string | undefined,
): boolean {
  if (token === undefined) return isLocal(request);
  const given = /^Bearer +([^\s]+)$/i.exec(request.headers.authorization ?? "")?.[1];
  return given !== undefined && timingSafeEqual(digest(given), digest(token));
}
