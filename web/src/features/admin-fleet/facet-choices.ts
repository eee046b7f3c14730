import { byName } from "../../farm/by-name.ts";
import type { FacetCounts } from "../../fleet/board.ts";
import { type Facet, type FleetFilter, UNSAID } from "../../fleet/filter.ts";
import type { FacetChoice } from "./FacetPanel.tsx";

/** What stands for a value in the reader's language. */
export type FacetWords = (facet: Facet, value: string) => string;

/**
 * The values of a facet as they are offered: the chosen ones first, so that they can be let go, then by name, and what
 * devices do not say last. A chosen value stays though nothing fits it.
 */
export function facetChoices(
  facet: Facet,
  counts: FacetCounts,
  filter: FleetFilter,
  words: FacetWords,
): FacetChoice[] {
  const chosen: readonly string[] = filter[facet];
  const values = new Set([...chosen, ...counts[facet].keys()]);
  const choices = [...values].map((value) => ({
    value,
    label: words(facet, value),
    count: counts[facet].get(value) ?? 0,
    chosen: chosen.includes(value),
  }));
  const last = ({ value }: FacetChoice) => Number(value === UNSAID);
  return choices.sort(
    (a, b) =>
      Number(b.chosen) - Number(a.chosen) ||
      last(a) - last(b) ||
      byName({ name: a.label }, { name: b.label }),
  );
}
