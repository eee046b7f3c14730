import { Field } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { DayInput } from "../../components/date-field.tsx";
import { Select } from "../../components/field.tsx";
import type { ListAddress } from "../../components/table-address.ts";
import { ListTools } from "../../domain/admin-list/ListTools.tsx";

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
