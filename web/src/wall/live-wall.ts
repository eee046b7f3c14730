import type { Clock } from "@mulkko/shared/rules/clock";
import type { LiveTokens } from "../live/connection.ts";
import { browserEdges, createLiveClient, type LiveClient } from "../live/live-client.ts";
import type { NextFrame } from "../live/state-stream.ts";
import type { Timers } from "../live/timers.ts";
import type { DisplaySession } from "./session/display-session.ts";

/** Nobody reads faster from five metres, and a television's processor is not a desktop's. */
const FLUSH_EVERY_MS = 500;

/** Flushes with a picture, at most twice a second. */
export function createSlowFrames(clock: Clock, timers: Timers, frame: NextFrame): NextFrame {
  let last = Number.NEGATIVE_INFINITY;
  return (flush) => {
    const run = () =>
      frame(() => {
        last = clock.monotonic();
        flush();
      });
    const wait = last + FLUSH_EVERY_MS - clock.monotonic();
    if (wait > 0) timers.after(wait, run);
    else run();
  };
}

/** A screen has one token; whether it still serves is asked of the relay, and nobody is asked to sign in. */
const tokensOf = (session: DisplaySession, token: string): LiveTokens => ({
  current: () => Promise.resolve(token),
  renew: () => session.prove(),
  onToken: () => () => undefined,
});

/** The live connection of a screen. */
export function createWallClient(session: DisplaySession, token: string): LiveClient {
  const edges = browserEdges();
  return createLiveClient(tokensOf(session, token), {
    ...edges,
    nextFrame: createSlowFrames(edges.clock, edges.timers, edges.nextFrame),
  });
}
