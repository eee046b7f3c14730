import type { Clock } from "@mulkko/shared/rules/clock";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import type { LiveFarm } from "../../live/hooks.ts";
import { isAlarmed, isCommanding, isStaleBuild, RELOADED_KEY } from "../../live/stale-build.ts";

const Version = Type.Object({ build: Type.String() });

/** Minimum interval between requests to the server, ms. */
export const ASK_EVERY_MS = 30_000;

/** Reload the page only if its server answers: never end on a browser's error page. */
export function createReloader(edges: {
  readonly clock: Clock;
  /** Fetch the current text of `/version.json`; rejects without an answer. */
  readonly askVersion: () => Promise<string>;
  readonly reload: () => void;
  readonly storage: Pick<Storage, "getItem" | "setItem">;
}) {
  const { clock, askVersion, reload, storage } = edges;
  const isStale = (own: string, served: string): boolean =>
    isStaleBuild({ own, served, reloadedFor: storage.getItem(RELOADED_KEY) });
  const takes = (served: string): true => {
    storage.setItem(RELOADED_KEY, served);
    return true;
  };
  let askedAt = Number.NEGATIVE_INFINITY;
  const ask = (goes: (served: string) => boolean) => {
    if (clock.monotonic() - askedAt < ASK_EVERY_MS) return;
    askedAt = clock.monotonic();
    askVersion().then(
      (text) => {
        const version = parseJson(Version, text);
        if (version.ok && goes(version.value.build)) reload();
      },
      // No answer: the screen still shows the time of its values, a browser's error page would not.
      () => undefined,
    );
  };
  return {
    /** Ask the server and reload after an answer. Does nothing within half a minute of the last request. */
    whenServed: () => ask(() => true),
    /**
     * Reload into a newer build, once for each (HS-4).
     *
     * @param mayGo checked before the request and again after the answer: the state may have changed meanwhile
     */
    intoNewer(own: string, served: string | null, mayGo: () => boolean) {
      if (served !== null && isStale(own, served) && mayGo()) ask(() => mayGo() && takes(served));
    },
    /** Do the same if no relay reports the served build: the answer tells. */
    whenNewer: (own: string) => ask((served) => isStale(own, served) && takes(served)),
  };
}

async function askVersion(): Promise<string> {
  const answer = await fetch("/version.json", { cache: "no-store" });
  if (!answer.ok) throw new Error(`version.json: ${answer.status}`);
  return answer.text();
}

/** Create a reloader with the browser's functions. */
export const browserReloader = (clock: Clock) =>
  createReloader({ clock, askVersion, reload: () => window.location.reload(), storage: sessionStorage });

/**
 * Return true while no valve is moving and no alarm of the highest priority is active: the page may reload
 * (HS-4).
 */
export function isQuiet({ channels, alarms }: Pick<LiveFarm, "channels" | "alarms">): boolean {
  return !isCommanding(channels) && !isAlarmed(alarms);
}
