/** Import information of a module during chunking. */
interface ModuleLinks {
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
}

/** Return a module's imports; null for an external module. */
export type LinksOf = (id: string) => ModuleLinks | null;

/** Return all modules reachable from a module, itself included. */
function reached(
  from: string,
  linksOf: LinksOf,
  follow: (links: ModuleLinks) => readonly string[],
): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const links = linksOf(id);
    if (links) open.push(...follow(links));
  }
  return seen;
}

const atOnce = ({ importedIds }: ModuleLinks) => importedIds;
const ever = ({ importedIds, dynamicallyImportedIds }: ModuleLinks) => [
  ...importedIds,
  ...dynamicallyImportedIds,
];

/**
 * Assign modules to the chunks needed for the first render of the desktop client, the larger of the two.
 * `shared` contains those that the wall also imports, `first` the rest, which a wall never loads. The bundler
 * places all others (null).
 *
 * @param desktop id of the desktop client's entry module
 * @param wall id of the wall's
 */
export function firstChunks(
  desktop: string,
  wall: string,
): (id: string, linksOf: LinksOf) => "first" | "shared" | null {
  let sets: Readonly<Record<"desktop" | "wall", ReadonlySet<string>>> | undefined;
  return (id, linksOf) => {
    sets ??= { desktop: reached(desktop, linksOf, atOnce), wall: reached(wall, linksOf, ever) };
    if (!sets.desktop.has(id)) return null;
    return sets.wall.has(id) ? "shared" : "first";
  };
}
