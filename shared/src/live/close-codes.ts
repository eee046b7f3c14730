/**
 * Reasons for the end of a connection. Below 4500 the client reconnects by itself, from 4500 on it does not.
 */
export const CLOSE = {
  draining: 4001,
  upstreamDown: 4002,
  tooSlow: 4008,
  /** The display's settings changed: it reads `GET /relay/display` again and reconnects at once. */
  displayChanged: 4010,
  badMessage: 4400,
  token: 4401,
  revoked: 4503,
  accountDisabled: 4504,
  unknownProtocol: 4505,
  /** The display was revoked: its token is no longer valid, and the screen says so. */
  displayRevoked: 4506,
} as const;

/** Return true if the client may reconnect by itself. */
export function mayReconnect(code: number): boolean {
  return code < 4500;
}
