/** Why a connection ends. Below 4500 the client comes back by itself, from 4500 on it does not. */
export const CLOSE = {
  draining: 4001,
  upstreamDown: 4002,
  tooSlow: 4008,
  badMessage: 4400,
  token: 4401,
  revoked: 4503,
  accountDisabled: 4504,
  unknownProtocol: 4505,
} as const;

/** True if the client may connect again by itself. */
export function mayReconnect(code: number): boolean {
  return code < 4500;
}
