import { LATER } from "../worker/later.ts";

/**
 * Modules of the pages that must open without a network first: the farm's water. With each come the files
 * that it imports statically, and its styles.
 */
export const FIRST_OFFLINE = [
  "src/main.tsx",
  "src/app/shell/OutboxStrip.tsx",
  "src/components/toast-region.tsx",
  "src/features/dashboard/DashboardAside.tsx",
  "src/features/irrigation/IrrigationPage.tsx",
  "src/features/irrigation/farm/FarmPage.tsx",
  "src/features/controller/ControllersPage.tsx",
  "src/features/controller/PanelPage.tsx",
] as const;

/** The texts of a farmer's pages in one language. */
const TEXTS = /^assets\/app-[^/]+\.json$/;

/** A chunk of the bundle: its modules, the chunks that it imports statically, and its styles. */
export interface BuiltChunk {
  readonly moduleIds: readonly string[];
  readonly imports: readonly string[];
  readonly styles: readonly string[];
}

/**
 * Return the files that modules need at once, by their paths in the bundle.
 *
 * @throws if no chunk contains one of the modules: it was moved
 */
export function filesAtOnce(
  modules: readonly string[],
  chunks: ReadonlyMap<string, BuiltChunk>,
): ReadonlySet<string> {
  const open = modules.map((module) => {
    const found = [...chunks].find(([, { moduleIds }]) => moduleIds.some((id) => id.endsWith(`/${module}`)));
    if (!found) throw new Error(`no chunk contains ${module}`);
    return found[0];
  });
  const files = new Set<string>();
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const chunk = chunks.get(name);
    if (files.has(name) || !chunk) continue;
    files.add(name);
    for (const style of chunk.styles) files.add(style);
    open.push(...chunk.imports);
  }
  return files;
}

interface Entry {
  readonly url: string;
  readonly revision: string | null;
}

/**
 * Order the worker's files: the page, then the first ones, then the others, which are marked. A file without
 * a hash in its name is never one of the others.
 */
export function inTwoSteps<E extends Entry>(entries: readonly E[], first: ReadonlySet<string>): E[] {
  const isFirst = ({ url }: E) => first.has(url) || TEXTS.test(url) || !url.startsWith("assets/");
  const page = (entry: E) => (entry.url.startsWith("assets/") ? 1 : 0);
  return [
    ...entries.filter(isFirst).toSorted((a, b) => page(a) - page(b)),
    ...entries.filter((entry) => !isFirst(entry)).map((entry) => ({ ...entry, revision: LATER })),
  ];
}
