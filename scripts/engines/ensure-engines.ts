import { aptInstall, canInstall } from "./apt-install.ts";
import { type EngineUse, type MissingEngine, missingEngines } from "./missing-engines.ts";

const packagesOf = (missing: readonly MissingEngine[]): string[] =>
  missing.flatMap(({ packages }) => packages);

/**
 * Find the real engines, and install missing ones where allowed.
 *
 * @returns null, or a message with the command to type
 */
export const ensureEngines = async (use: EngineUse = "tests"): Promise<string | null> => {
  let missing = await missingEngines(use);
  if (missing.length > 0 && canInstall()) {
    console.log(`Installing for the tests: ${missing.map(({ name }) => name).join(", ")}`);
    try {
      await aptInstall(packagesOf(missing));
    } catch (error) {
      console.error(String(error));
    }
    missing = await missingEngines(use);
  }
  if (missing.length === 0) return null;
  const names = missing.map(({ name }) => name).join(", ");
  const line = `sudo apt-get install -y --no-install-recommends ${packagesOf(missing).join(" ")}`;
  return `The tests need ${names}. On Debian type: ${line}`;
};
