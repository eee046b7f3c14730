import { Box, chakra, Flex, Grid, Text } from "@chakra-ui/react";
import { ChevronDownIcon, XIcon } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { AlarmBadge } from "../../components/alarm-badge.tsx";
import { Chip, ChipRow } from "../../components/chip.tsx";
import { SearchBox } from "../../components/field.tsx";
import { Popup } from "../../components/popover.tsx";
import type { FacetCounts } from "../../domain/fleet/board.ts";
import { FLEET_STATES, NEEDS } from "../../domain/fleet/device-state.ts";
import {
  DEVICE_ALARMS,
  type Facet,
  type FleetFilter,
  isFiltered,
  NO_FILTER,
  toggled,
  UNSAID,
} from "../../domain/fleet/filter.ts";
import { StateShape } from "../../domain/fleet/StateMark.tsx";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { byName } from "../../i18n/by-name.ts";
import { searchFor } from "../../i18n/search.ts";

/** Facets with more values than fit in a line. */
const FOLDED = ["type", "account", "fw"] as const;

/** A chosen chip's mark has the chip's own colour. */
const CHOSEN_MARK = {
  "& .alarm-badge": { boxSize: "1.125rem" },
  "& [aria-pressed=true] .state-mark": { color: "inherit" },
  '& [aria-pressed=true] [data-state="fresh"] .state-mark__dot': { bg: "currentColor" },
};

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
  const { dayTime } = useTimeTexts();
  const [open, setOpen] = useState<(typeof FOLDED)[number] | null>(null);
  const chip = (facet: Facet, value: string, children: ReactNode) => {
    const chosen: readonly string[] = filter[facet];
    return (
      <li key={value}>
        <Chip
          dense
          count={counts[facet].get(value) ?? 0}
          aria-pressed={chosen.includes(value)}
          onClick={() => onFilter(toggled(filter, facet, value))}
        >
          {children}
        </Chip>
      </li>
    );
  };
  return (
    <Box minW="0" data-testid="filter-bar">
      <ChipRow gap="1.5" css={CHOSEN_MARK} aria-label={t("state.label")}>
        {/* First, because a phone shows the start of the line and this filter is set on another page. */}
        {filter.since !== null && (
          <li>
            <Chip dense aria-pressed end={<XIcon />} onClick={() => onFilter({ ...filter, since: null })}>
              {t("facet.since", { time: dayTime(Date.parse(filter.since)) })}
            </Chip>
          </li>
        )}
        {DEVICE_ALARMS.map((alarm) =>
          chip(
            "alarm",
            alarm,
            <>
              <AlarmBadge priority={alarm === "1" ? 1 : 2} />
              {translate("alarm", alarm)}
            </>,
          ),
        )}
        {FLEET_STATES.map((state) =>
          chip(
            "state",
            state,
            <>
              <StateShape state={state} />
              {t(`state.${state}`)}
            </>,
          ),
        )}
        {NEEDS.map((need) => chip("need", need, translate("need", need)))}
        {FOLDED.map((facet) => {
          const [first, ...others] = filter[facet];
          return (
            <li key={facet}>
              <Popup
                label={t(`facet.${facet}`)}
                open={open === facet}
                onOpenChange={(opens) => setOpen(opens ? facet : null)}
                trigger={
                  <Chip
                    dense
                    count={first === undefined ? counts[facet].size : undefined}
                    end={<ChevronDownIcon />}
                    data-chosen={first === undefined ? undefined : ""}
                  >
                    {t(`facet.${facet}`)}
                    {first !== undefined && (
                      <chakra.span maxW="40" overflow="hidden" textOverflow="ellipsis">
                        {translate(facet, first)}
                        {others.length > 0 && ` +${others.length}`}
                      </chakra.span>
                    )}
                  </Chip>
                }
              >
                <div data-testid="filter-choices">
                  <FacetPanel
                    label={t(`facet.${facet}`)}
                    choices={facetChoices(facet, counts, filter, translate)}
                    chip={(value, texts) => chip(facet, value, texts)}
                  />
                </div>
              </Popup>
            </li>
          );
        })}
        {isFiltered(filter) && (
          <li>
            <Chip
              dense
              borderColor="transparent"
              bg="none"
              textDecoration="underline"
              textUnderlineOffset="0.2em"
              onClick={() => onFilter(NO_FILTER)}
            >
              {t("facet.clear")}
            </Chip>
          </li>
        )}
      </ChipRow>
    </Box>
  );
}

/** Number of values from which the panel has a search field. */
const SEARCHED_FROM = 16;

/** Show all values of one facet as chips with their counts. */
function FacetPanel(props: {
  label: string;
  choices: readonly FacetChoice[];
  chip: (value: string, texts: string) => ReactNode;
}) {
  const { label, choices, chip } = props;
  const { t } = useTranslation("fleet");
  const [text, setText] = useState("");
  const search = searchFor(text);
  const found = choices.filter((choice) => choice.chosen || search(choice.label));
  return (
    <Grid as="fieldset" gap="3" minW="0">
      <legend className="visually-hidden">{label}</legend>
      {choices.length >= SEARCHED_FROM && (
        <SearchBox
          label={`${label}: ${t("facet.find")}`}
          placeholder={t("facet.find")}
          text={text}
          onText={setText}
        />
      )}
      {found.length === 0 && <Text color="fg.muted">{t("facet.noneFound")}</Text>}
      <Flex as="ul" wrap="wrap" gap="1.5">
        {found.map((choice) => chip(choice.value, choice.label))}
      </Flex>
    </Grid>
  );
}

/** Filter value in the reader's language. */
interface FacetChoice {
  readonly value: string;
  readonly label: string;
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
