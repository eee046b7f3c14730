import { Field } from "@chakra-ui/react";
import { createApiTimeZone } from "@mulkko/shared/rules/api-time";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Static, TSchema } from "typebox";
import { useAccount } from "../../api/hooks.ts";
import { type LongList, type UsedList, useListed } from "../../api/listed.ts";
import { DayInput } from "../../components/date-field.tsx";
import { Select } from "../../components/field.tsx";
import type { ListAddress } from "../../components/table-address.ts";
import { ListTools } from "../../domain/admin-list/ListTools.tsx";
import { DEFAULT_ZONE } from "../../domain/time/use-time-words.ts";

const DAY_MS = 86_400_000;

/** Days as in a date field; empty for no limit. */
interface DayRange {
  readonly from: string;
  readonly to: string;
}

/**
 * Return the instants of whole days in a time zone, for the farm API: from the start of the first day to the
 * end of the last. An invalid day sets no limit.
 */
export function instantsOf({ from, to }: DayRange, zone: string): { from: string; to: string } {
  const { toInstant } = createApiTimeZone(zone);
  const begin = from === "" ? null : toInstant(from);
  // A day ends where the next one starts, whatever its length.
  const next = to === "" ? Number.NaN : Date.parse(`${to}T00:00:00Z`) + DAY_MS;
  const end = Number.isNaN(next) ? null : toInstant(new Date(next).toISOString().slice(0, 10));
  const iso = (instant: number | null) => (instant === null ? "" : new Date(instant).toISOString());
  return { from: iso(begin), to: iso(end) };
}

/**
 * Load a log with the filters in the address. Its days use the reader's time zone. @param choice the filter
 * that only this log has
 */
export function useLog<S extends TSchema>(
  list: LongList<S>,
  address: ListAddress,
  choice: string,
): UsedList<Static<S>> {
  const zone = useAccount().timezone || DEFAULT_ZONE;
  const { page, size, text } = address;
  const days = instantsOf({ from: address.filter("from"), to: address.filter("to") }, zone);
  return useListed(list, {
    ...{ page, size, text, sort: null },
    filters: { ...days, [choice]: address.filter(choice) },
  });
}

interface FiltersProps {
  address: ListAddress;
  search: string;
  /** Filter that only this list has. */
  choice: { name: string; label: string; options: readonly { value: string; label: string }[] };
}

/** Filter a log by person or subject, one choice, and a range of days. */
export function Filters({ address, search, choice }: FiltersProps) {
  const { t } = useTranslation("admin-audit");
  const day = (name: "from" | "to") => (
    <Labelled label={t(`filter.${name}`)}>
      <DayInput
        name={name}
        value={address.filter(name)}
        onChange={(value) => address.onFilter(name, value)}
      />
    </Labelled>
  );
  return (
    <ListTools
      search={search}
      text={address.text}
      onText={address.onText}
      chosen={0}
      onChooseNone={() => undefined}
    >
      <Labelled label={choice.label}>
        <Select
          name={choice.name}
          value={address.filter(choice.name)}
          options={[{ value: "", label: t("filter.all") }, ...choice.options]}
          onChange={(value) => address.onFilter(choice.name, value)}
        />
      </Labelled>
      {day("from")}
      {day("to")}
    </ListTools>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Field.Root
      orientation="horizontal"
      w="auto"
      minW="48"
      css={{
        "--field-label-width": "max-content",
        "[data-surface=phone] &": { "--field-label-width": "4rem", flex: "1 1 100%" },
      }}
    >
      <Field.Label>{label}</Field.Label>
      {children}
    </Field.Root>
  );
}
