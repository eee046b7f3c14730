import type { Finding } from "./finding.ts";
import { isTestCode } from "./source-files.ts";

/** A file with the files that it imports. */
export interface Module {
  readonly source: string;
  readonly dependencies: readonly { readonly resolved: string }[];
}

/** An import between two folders beside each other. */
interface Step {
  readonly to: string;
  readonly source: string;
  readonly resolved: string;
}

/** Return the folders beside each other that contain two files; null where one contains the other's folder. */
function siblingsOf(source: string, resolved: string): [from: string, to: string] | null {
  const [from, to] = [source.split("/"), resolved.split("/")];
  const shared = from.findIndex((name, index) => name !== to[index]);
  if (shared < 0 || shared >= from.length - 1 || shared >= to.length - 1) return null;
  return [from.slice(0, shared + 1).join("/"), to.slice(0, shared + 1).join("/")];
}

function stepsOf(modules: readonly Module[]): Map<string, Map<string, Step>> {
  const steps = new Map<string, Map<string, Step>>();
  for (const { source, dependencies } of modules.filter((one) => !isTestCode(one.source))) {
    for (const { resolved } of dependencies) {
      const pair = isTestCode(resolved) ? null : siblingsOf(source, resolved);
      if (pair === null) continue;
      const [from, to] = pair;
      steps.set(from, (steps.get(from) ?? new Map<string, Step>()).set(to, { to, source, resolved }));
    }
  }
  return steps;
}

/** Return the shortest way between two folders by their imports, both included; null if there is none. */
function wayBetween(
  from: string,
  to: string,
  steps: ReadonlyMap<string, ReadonlyMap<string, Step>>,
): string[] | null {
  const ways = [[from]];
  const seen = new Set([from]);
  for (const way of ways) {
    const last = way.at(-1) ?? from;
    if (last === to) return way;
    for (const next of steps.get(last)?.keys() ?? []) {
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return null;
}

/**
 * Find folders beside each other that import one another, also by way of others. A folder and the one that
 * contains it may: the outer one composes the inner ones. dependency-cruiser's own `scope: "folder"` counts
 * tests too, which import from everywhere.
 */
export function folderCircles(modules: readonly Module[]): Finding[] {
  const steps = stepsOf(modules);
  return [...steps].flatMap(([from, next]) =>
    [...next.values()].flatMap(({ to, source, resolved }): Finding[] => {
      const back = wayBetween(to, from, steps);
      // Each circle is reported once, from its first folder.
      if (back === null || back.some((folder) => folder < from)) return [];
      const circle = [from, ...back].join(" → ");
      return [{ file: source, message: `imports ${resolved}: folders form a circle: ${circle}` }];
    }),
  );
}
