import type { Clock } from "@mulkko/shared/rules/clock";
import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { isStaleBuild, RELOADED_KEY } from "../../app/stale-build.ts";

const Version = Type.Object({ build: Type.String() });

/** How long a server that did not answer is left alone, ms. */
export const ASK_EVERY_MS = 30_000;

/** The edges of a reload, for tests to replace. */
export interface ReloadEdges {
  readonly clock: Clock;
  /** The text of `/version.json` as it is now; rejects when nobody answers. */
  readonly askVersion: () => Promise<string>;
  readonly reload: () => void;
  readonly kept: Pick<Storage, "getItem" | "setItem">;
}

/** Loads the page anew, but never into nothing: only where its server answers. */
export interface Reloader {
  /** Asks, and reloads where an answer comes; asked again before half a minute is over, it does nothing. */
  whenServed(): void;
  /**
   * The same for a build that is newer than ours, once for each (HS-4).
   *
   * @param mayGo asked before, and once more when the answer is there: something may have begun meanwhile
   */
  intoNewer(own: string, served: string | null, mayGo: () => boolean): void;
  /** The same where no relay says which build it serves: the answer does. */
  whenNewer(own: string): void;
}

export function createReloader({ clock, askVersion, reload, kept }: ReloadEdges): Reloader {
  const isStale = (own: string, served: string): boolean =>
    isStaleBuild({ own, served, reloadedFor: kept.getItem(RELOADED_KEY) });
  const takes = (served: string): true => {
    kept.setItem(RELOADED_KEY, served);
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
      // Nobody there: what stands on the screen says of when it is, which a browser's error page does not.
      () => undefined,
    );
  };
  return {
    whenServed: () => ask(() => true),
    intoNewer(own, served, mayGo) {
      if (served !== null && isStale(own, served) && mayGo()) ask(() => mayGo() && takes(served));
    },
    whenNewer: (own) => ask((served) => isStale(own, served) && takes(served)),
  };
}

async function askVersion(): Promise<string> {
  const answer = await fetch("/version.json", { cache: "no-store" });
  if (!answer.ok) throw new Error(`version.json: ${answer.status}`);
  return answer.text();
}

/** The browser's own. */
export const browserReloader = (clock: Clock): Reloader =>
  createReloader({ clock, askVersion, reload: () => window.location.reload(), kept: sessionStorage });
