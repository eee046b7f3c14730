import type { Timers } from "@mulkko/shared/rules/clock";
import { every } from "../every.ts";
import type { DisplaySession } from "../session/display-session.ts";

/** Delay before asking the relay again why it ended the connection, ms. */
const ASK_AGAIN_MS = 15_000;

/**
 * Ask the relay, at once and again and again, why it ended a connection that does not reconnect by itself. Either the
 * token was revoked, which the session then shows, or the relay needs a newer page.
 *
 * @param reload called while the token is valid
 * @returns a function that stops
 */
export function askWhyEnded(
  session: Pick<DisplaySession, "prove">,
  timers: Timers,
  reload: () => void,
): () => void {
  const ask = (): void => {
    session.prove().then(
      (token) => {
        if (token !== null) reload();
      },
      // The relay is unreachable.
      () => undefined,
    );
  };
  ask();
  return every(timers, ASK_AGAIN_MS, ask);
}
