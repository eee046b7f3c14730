import type { Session } from "./session.ts";

/** Adapt the session to the live connection. */
export function liveTokens(session: Session) {
  return {
    current: () => Promise.resolve(session.accessToken()),
    renew: (used: string) => session.refresh(used),
    onToken: (listener: (token: string) => void) => session.onToken(listener),
  };
}
