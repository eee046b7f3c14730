import type { Clock, Timers } from "@mulkko/shared/rules/clock";
import type { LiveTokens } from "../live/connection.ts";
import { browserEdges, createLiveClient, type LiveClient, type LiveEdges } from "../live/live-client.ts";
import type { NextFrame } from "../live/state-stream.ts";
import type { DisplaySession } from "./session/display-session.ts";

/** Faster updates are unreadable from five metres, and a television's processor is slow. */
const FLUSH_EVERY_MS = 500;

/** Flush with an animation frame, at most twice a second. */
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

/** A screen has one token: check it at the relay instead of asking a user to sign in. */
export const tokensOf = (session: DisplaySession, token: string): LiveTokens => ({
  current: () => Promise.resolve(token),
  renew: () => session.prove(),
  onToken: () => () => undefined,
});

/** Return the side effects of a screen's browser. */
function wallEdges(): LiveEdges {
  const edges = browserEdges();
  return { ...edges, nextFrame: createSlowFrames(edges.clock, edges.timers, edges.nextFrame) };
}

/** Create the live connection of a screen. */
export const createWallClient = (tokens: LiveTokens, edges: LiveEdges = wallEdges()): LiveClient =>
  createLiveClient(tokens, edges);
