/** What is known of a module while the chunks are made. */
interface ModuleLinks {
  readonly importedIds: readonly string[];
  readonly dynamicallyImportedIds: readonly string[];
}

/** Tells of a module what it imports; null for one from outside. */
export type LinksOf = (id: string) => ModuleLinks | null;

/** Everything that a module leads to, itself among it. */
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
 * What the desk, the larger of the two clients, needs before anything is drawn: `shared` is what the wall needs of it
 * some day, `first` the rest, which a wall never loads. Other modules find their own place (null).
 *
 * @param desk id of the desk's first module
 * @param wall id of the wall's
 */
export function firstChunks(
  desk: string,
  wall: string,
): (id: string, linksOf: LinksOf) => "first" | "shared" | null {
  let sets: Readonly<Record<"desk" | "wall", ReadonlySet<string>>> | undefined;
  return (id, linksOf) => {
    sets ??= { desk: reached(desk, linksOf, atOnce), wall: reached(wall, linksOf, ever) };
    if (!sets.desk.has(id)) return null;
    return sets.wall.has(id) ? "shared" : "first";
  };
}
