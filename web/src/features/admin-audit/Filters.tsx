import type { ReactNode } from "react";
import { ListTools } from "../../admin/ListTools.tsx";
import type { ListAddress } from "../../components/table-address.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import "../../ui/form/form-field.css";

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
      <input
        className="control"
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
        <select
          className="control"
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
        </select>
      </Labelled>
      {day("from")}
      {day("to")}
    </ListTools>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className="admin-filter">
      <span>{label}</span>
      {children}
    </label>
  );
}
