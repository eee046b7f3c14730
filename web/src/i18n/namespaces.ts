import type { ResourceLanguage } from "i18next";

/** The keys of a language by namespace, from its files by path: `./locales/ko/login.json` is `login`. */
export function namespacesOf(files: Record<string, ResourceLanguage[string]>): ResourceLanguage {
  return Object.fromEntries(
    Object.entries(files).map(([path, keys]) => [
      path.slice(path.lastIndexOf("/") + 1, -".json".length),
      keys,
    ]),
  );
}
