import { useEffect } from "react";
import { useIsLive, useLink } from "../../live/hooks.ts";
import { browserTimers } from "../../live/timers.ts";
import type { DisplaySession } from "../session/display-session.ts";
import { reloader } from "./page-reloader.ts";

/** How long until the relay is asked once more why it has ended the connection, ms. */
const ASK_AGAIN_MS = 15_000;

/**
 * A connection that does not come back by itself has a reason: the token was taken back, which is said, or the relay
 * speaks another protocol, which a newer page does too. A wall never stays with an end that nobody can press away.
 */
export function useEnded(session: DisplaySession): void {
  const live = useIsLive();
  useEffect(() => {
    // It was broken perhaps because somebody has chosen otherwise for this screen.
    if (live) void session.prove().catch(() => undefined);
  }, [live, session]);
  const ended = useLink(({ screen }) => screen.state === "ended");
  useEffect(() => {
    if (!ended) return;
    let cancel: () => void = () => undefined;
    const ask = () => {
      session.prove().then(
        (token) => {
          if (token !== null) reloader.whenServed();
        },
        // Nobody can be asked just now.
        () => undefined,
      );
      cancel = browserTimers.after(ASK_AGAIN_MS, ask);
    };
    ask();
    return () => cancel();
  }, [ended, session]);
}
