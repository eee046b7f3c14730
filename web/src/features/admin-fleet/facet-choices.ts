import type { FacetCounts } from "../../domain/fleet/board.ts";
import { type Facet, type FleetFilter, UNSAID } from "../../domain/fleet/filter.ts";
import { byName } from "../../i18n/by-name.ts";

/** Filter value with the number of devices that it would show. */
export interface FacetChoice {
  readonly value: string;
  readonly label: string;
  readonly count: number;
  readonly chosen: boolean;
}

/** Translate a value. */
export type FacetTranslation = (facet: Facet, value: string) => string;

/**
 * Return the values of a facet: selected ones first, then by name, missing values last. A selected value
 * without matches stays, so that the user can deselect it.
 */
export function facetChoices(
  facet: Facet,
  counts: FacetCounts,
  filter: FleetFilter,
  translate: FacetTranslation,
): FacetChoice[] {
  const chosen: readonly string[] = filter[facet];
  const values = new Set([...chosen, ...counts[facet].keys()]);
  const choices = [...values].map((value) => ({
    value,
    label: translate(facet, value),
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
