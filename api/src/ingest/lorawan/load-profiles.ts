import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { compileProfile, type Profile, ProfileError } from "./compile-profile.ts";

/** Folder of the bundled profiles. */
export const BUNDLED_PROFILES = join(import.meta.dirname, "../../../profiles");

/** Device profiles by name. */
export type Profiles = ReadonlyMap<string, Profile>;

const ABSENT = "ENOENT";

async function filesIn(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(".json")).sort();
  } catch (error) {
    // A farm without its own profiles has no such folder.
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
 * Read every `*.json` of the folders; a profile in a later folder replaces one of the same name. A missing
 * folder is empty.
 *
 * @throws ProfileError naming the first invalid file
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
