import { parseJson } from "@mulkko/shared/schema/parse";
import { Type } from "typebox";
import { BUILD } from "./build.ts";
import { isStaleBuild, RELOADED_KEY } from "./stale-build.ts";

const Version = Type.Object({ build: Type.String() });

/** The build that is served now; null when nobody can be asked. */
async function servedBuild(): Promise<string | null> {
  try {
    const answer = await fetch("/version.json", { cache: "no-store" });
    const version = parseJson(Version, await answer.text());
    return version.ok ? version.value.build : null;
  } catch {
    // Offline: there is nothing newer to be had.
    return null;
  }
}

/** Session storage key: the address for which this tab has reloaded because its page did not come. */
const MISSING_KEY = "mulkko.reloadedAt";

/** Failures in a row from which on another attempt of the same document is not thought to bring the page. */
const HOPELESS_FROM = 3;

/**
 * Reload the document where that may bring a page that could not be fetched: once for each build where a newer
 * client is served (HS-4), and once for an address whose parts this document does not get although the relay answers.
 *
 * @param failures how often in a row the page could not be fetched
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
