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

/** Loads the page anew where a newer client is served, once for each build (HS-4). */
export async function reloadIfStale(): Promise<void> {
  const served = await servedBuild();
  const facts = { own: BUILD, served, reloadedFor: sessionStorage.getItem(RELOADED_KEY) };
  if (served === null || !isStaleBuild(facts)) return;
  sessionStorage.setItem(RELOADED_KEY, served);
  window.location.reload();
}
