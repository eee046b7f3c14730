import { Field } from "@chakra-ui/react";
import { dayOfDate, zoneNamed } from "@mulkko/shared/rules/calendar";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { TSchema } from "typebox";
import { useAccount } from "../../api/hooks.ts";
import { type LongList, useListed } from "../../api/listed.ts";
import { DayInput } from "../../components/date-field.tsx";
import { Select } from "../../components/field.tsx";
import { type ListAddress, useListAddress } from "../../components/table-address.ts";
import { ListTools } from "../../domain/admin-list/ListTools.tsx";
import { DEFAULT_ZONE } from "../../domain/time/use-time-texts.ts";

/**
 * Return the instants of whole days in a time zone, for the farm API: from the start of the first day to the
 * end of the last. An invalid or empty day sets no limit.
 */
export function instantsOf({ from, to }: { from: string; to: string }, zoneName: string) {
  const zone = zoneNamed(zoneName);
  const iso = (instant: number) => (Number.isNaN(instant) ? "" : new Date(instant).toISOString());
  return { from: iso(dayOfDate(from, zone).from), to: iso(dayOfDate(to, zone).to) };
}

/**
 * Load a log with the page and filters in the address. Its days use the reader's time zone.
 *
 * @param choice name of the filter that only this log has; undefined for a log without filters
 */
export function useLog<S extends TSchema>(list: LongList<S>, choice: string | undefined) {
  const zone = useAccount().timezone || DEFAULT_ZONE;
  const address = useListAddress();
  const { page, size, text } = address;
  const days = instantsOf({ from: address.filter("from"), to: address.filter("to") }, zone);
  const filters = choice === undefined ? {} : { ...days, [choice]: address.filter(choice) };
  const used = useListed(list, { page, size, sort: null, text: choice === undefined ? "" : text, filters });
  return { ...used, address };
}

export interface FiltersProps {
  search: string;
  /** Name, label and options of the filter that only this list has. */
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
}

/** Filter a log by person or subject, one choice, and a range of days. */
export function Filters({ address, search, name, label, options }: FiltersProps & { address: ListAddress }) {
  const { t } = useTranslation("admin-audit");
  const day = (end: "from" | "to") => (
    <Labelled label={t(`filter.${end}`)}>
      <DayInput name={end} value={address.filter(end)} onChange={(value) => address.onFilter(end, value)} />
    </Labelled>
  );
  return (
    <ListTools search={search} address={address}>
      <Labelled label={label}>
        <Select
          name={name}
          value={address.filter(name)}
          options={[{ value: "", label: t("filter.all") }, ...options]}
          onChange={(value) => address.onFilter(name, value)}
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
