import { Box, chakra } from "@chakra-ui/react";
import { ChevronDownIcon, XIcon } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useTimeWords } from "../../farm/use-time-words.ts";
import type { FacetCounts } from "../../fleet/board.ts";
import { FLEET_STATES, NEEDS } from "../../fleet/device-state.ts";
import { type Facet, type FleetFilter, isFiltered, NO_FILTER, toggled } from "../../fleet/filter.ts";
import { StateMark } from "../../fleet/StateMark.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { FacetPanel } from "./FacetPanel.tsx";
import { type FacetTranslation, facetChoices } from "./facet-choices.ts";
import "../../components/chips.css";
import "./filter-bar.css";

/** Facets with more values than fit in a line. */
const FOLDED = ["type", "account", "fw"] as const;

interface FilterBarProps {
  readonly filter: FleetFilter;
  readonly counts: FacetCounts;
  readonly translate: FacetTranslation;
  readonly onFilter: (filter: FleetFilter) => void;
}

/**
 * Filter chips with counts: states and needs in a line; types, accounts and firmware behind a button each.
 */
export function FilterBar({ filter, counts, translate, onFilter }: FilterBarProps) {
  const { t } = useTranslation("fleet");
  const { dayTime } = useTimeWords();
  const [open, setOpen] = useState<(typeof FOLDED)[number] | null>(null);
  const panel = useId();
  const whole = useRef<HTMLDivElement>(null);
  const toggle = (facet: Facet, value: string) => onFilter(toggled(filter, facet, value));
  const close = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || open === null) return;
    event.stopPropagation();
    setOpen(null);
    whole.current?.querySelector<HTMLElement>("[aria-expanded=true]")?.focus();
  };
  const chosenStates: readonly string[] = filter.state;
  const chosenNeeds: readonly string[] = filter.need;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes from any element within; the container is not clickable
    <div className="filter-bar" data-testid="filter-bar" ref={whole} onKeyDown={close}>
      <ul className="chips" aria-label={t("state.label")}>
        {/* First, because a phone shows the start of the line and this filter is set on another page. */}
        {filter.since !== null && (
          <li>
            <button
              type="button"
              className="chip"
              aria-pressed
              onClick={() => onFilter({ ...filter, since: null })}
            >
              {t("facet.since", { time: dayTime(Date.parse(filter.since)) })}
              <XIcon size={14} />
            </button>
          </li>
        )}
        {FLEET_STATES.map((state) => (
          <li key={state}>
            <button
              type="button"
              className="chip"
              aria-pressed={chosenStates.includes(state)}
              onClick={() => toggle("state", state)}
            >
              <StateMark state={state} bare />
              {t(`state.${state}`)}
              <span className="chip__count">{counts.state.get(state) ?? 0}</span>
            </button>
          </li>
        ))}
        {NEEDS.map((need) => (
          <li key={need}>
            <button
              type="button"
              className="chip"
              aria-pressed={chosenNeeds.includes(need)}
              onClick={() => toggle("need", need)}
            >
              {translate("need", need)}
              <span className="chip__count">{counts.need.get(need) ?? 0}</span>
            </button>
          </li>
        ))}
        {FOLDED.map((facet) => {
          const [first, ...others] = filter[facet];
          return (
            <li key={facet}>
              <button
                type="button"
                className="chip"
                aria-expanded={open === facet}
                aria-controls={open === facet ? panel : undefined}
                data-chosen={first === undefined ? undefined : ""}
                onClick={() => setOpen(open === facet ? null : facet)}
              >
                {t(`facet.${facet}`)}
                {first === undefined ? (
                  <span className="chip__count">{counts[facet].size}</span>
                ) : (
                  <chakra.span maxW="40" overflow="hidden" textOverflow="ellipsis">
                    {translate(facet, first)}
                    {others.length > 0 && ` +${others.length}`}
                  </chakra.span>
                )}
                <ChevronDownIcon size={14} />
              </button>
            </li>
          );
        })}
        {isFiltered(filter) && (
          <li>
            <button type="button" className="chip filter-bar__clear" onClick={() => onFilter(NO_FILTER)}>
              {t("facet.clear")}
            </button>
          </li>
        )}
      </ul>
      {open !== null && (
        <Box
          position="absolute"
          top="calc(100% + 0.375rem)"
          insetInline="0"
          zIndex="dropdown"
          maxH="min(24rem, 60dvh)"
          p="3"
          overflowY="auto"
          borderWidth="1px"
          borderColor="border.strong"
          rounded="card"
          bg="bg.panel"
          boxShadow="var(--mk-shadows-md)"
          data-testid="filter-choices"
          id={panel}
        >
          <FacetPanel
            key={open}
            label={t(`facet.${open}`)}
            choices={facetChoices(open, counts, filter, translate)}
            onToggle={(value) => toggle(open, value)}
          />
        </Box>
      )}
    </div>
  );
}
