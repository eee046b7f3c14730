import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { compileProfile, type Profile, ProfileError } from "./compile-profile.ts";

/** The profiles that come with the product. */
export const BUNDLED_PROFILES = join(import.meta.dirname, "../../profiles");

/** Device profiles by name. */
export type Profiles = ReadonlyMap<string, Profile>;

const ABSENT = "ENOENT";

async function filesIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(".json")).sort();
  } catch (error) {
    // A farm without profiles of its own has no such folder.
    if (error instanceof Error && "code" in error && error.code === ABSENT) return [];
    throw error;
  }
}

function parseText(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProfileError(`The device profile ${name} cannot be used: it is not JSON.`);
  }
}

/**
 * Reads every `*.json` of the folders; a later folder's profile replaces an earlier one's of the same name. A folder
 * that is not there holds none.
 *
 * @throws ProfileError naming the first file that cannot be used
 */
export async function loadProfiles(folders: readonly string[]): Promise<Profiles> {
  const profiles = new Map<string, Profile>();
  for (const folder of folders) {
    for (const file of await filesIn(folder)) {
      const name = basename(file, ".json");
      const text = await readFile(join(folder, file), "utf8");
      profiles.set(name, compileProfile(name, parseText(name, text)));
    }
  }
  return profiles;
}
