import { systemTimers, type Timer } from "@mulkko/shared/rules/clock";
import { useEffect } from "react";
import { useIsLive, useLink } from "../../live/hooks.ts";
import type { DisplaySession } from "../session/display-session.ts";
import { reloader } from "./page-reloader.ts";

/** Delay before asking the relay again why it ended the connection, ms. */
const ASK_AGAIN_MS = 15_000;

/**
 * Handle a connection that does not reconnect by itself. Either the token was revoked, which is shown, or the
 * relay needs a newer page. A wall must not stop at an error without a user to dismiss it.
 */
export function useEnded(session: DisplaySession): void {
  const live = useIsLive();
  useEffect(() => {
    // The connection may have ended because the screen's settings changed.
    if (live) void session.prove().catch(() => undefined);
  }, [live, session]);
  const ended = useLink(({ screen }) => screen.state === "ended");
  useEffect(() => {
    if (!ended) return;
    let timer: Timer | undefined;
    const ask = () => {
      session.prove().then(
        (token) => {
          if (token !== null) reloader.whenServed();
        },
        // The relay is unreachable.
        () => undefined,
      );
      timer = systemTimers.after(ASK_AGAIN_MS, ask);
    };
    ask();
    return () => timer?.cancel();
  }, [ended, session]);
}
