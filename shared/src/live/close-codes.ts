/** Why a connection ends. Below 4500 the client comes back by itself, from 4500 on it does not. */
export const CLOSE = {
  draining: 4001,
  upstreamDown: 4002,
  tooSlow: 4008,
  /** What the display may show is otherwise: it reads `GET /relay/display` anew, and comes back at once. */
  displayChanged: 4010,
  badMessage: 4400,
  token: 4401,
  revoked: 4503,
  accountDisabled: 4504,
  unknownProtocol: 4505,
  /** The display was revoked: its token opens nothing any more, and the screen says so. */
  displayRevoked: 4506,
} as const;

/** True if the client may connect again by itself. */
export function mayReconnect(code: number): boolean {
  return code < 4500;
}
