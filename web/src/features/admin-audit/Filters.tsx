import { Field, Input, NativeSelect } from "@chakra-ui/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
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
      <Input
        type="date"
        name={name}
        value={address.filter(name)}
        onChange={(event) => address.onFilter(name, event.target.value)}
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
        <NativeSelect.Root>
          <NativeSelect.Field
            name={choice.name}
            value={address.filter(choice.name)}
            onChange={(event) => address.onFilter(choice.name, event.target.value)}
          >
            <option value="">{t("filter.all")}</option>
            {choice.options.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Labelled>
      {day("from")}
      {day("to")}
    </ListTools>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Field.Root orientation="horizontal" className="admin-filter">
      <Field.Label>{label}</Field.Label>
      {children}
    </Field.Root>
  );
}
