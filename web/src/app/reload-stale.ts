import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { BUILD } from "../live/build.ts";
import { isStaleBuild, RELOADED_KEY } from "../live/stale-build.ts";

const Version = Type.Object({ build: Type.String() });

/** Fetch the currently served build; null without an answer. */
async function servedBuild(): Promise<string | null> {
  try {
    const answer = await fetch("/version.json", { cache: "no-store" });
    const version = parseJson(Version, await answer.text());
    return version.ok ? version.value.build : null;
  } catch {
    // Offline: there is nothing newer.
    return null;
  }
}

/** Session storage key: the address for which this tab has reloaded because its page failed to load. */
const MISSING_KEY = "mulkko.reloadedAt";

/** Number of consecutive failures after which the same document will not load the page. */
const HOPELESS_FROM = 3;

/**
 * Reload the document if that may load a missing page. Once per build if a newer client is served (HS-4), and
 * once per address whose parts fail to load although the relay answers.
 *
 * @param failures number of consecutive failed loads
 */
export async function reloadForMissing(address: string, failures: number): Promise<void> {
  const served = await servedBuild();
  if (served === null) return;
  const facts = { own: BUILD, served, reloadedFor: sessionStorage.getItem(RELOADED_KEY) };
  if (isStaleBuild(facts)) sessionStorage.setItem(RELOADED_KEY, served);
  else if (failures >= HOPELESS_FROM && sessionStorage.getItem(MISSING_KEY) !== address)
    sessionStorage.setItem(MISSING_KEY, address);
  else return;
  window.location.reload();
}
