import { useTranslation } from "../../i18n/use-translation.ts";

export interface SelectAllProps {
  /** Keys of the rows on this page. */
  keys: readonly string[];
  selected: ReadonlySet<string>;
  onSelect: ((selected: ReadonlySet<string>) => void) | undefined;
}

/** Select or clear all rows of the page; a dash marks a partial selection. */
export function SelectAll({ keys, selected, onSelect }: SelectAllProps) {
  const { t } = useTranslation("common");
  const chosen = keys.filter((key) => selected.has(key)).length;
  const all = keys.length > 0 && chosen === keys.length;
  const press = () => {
    const next = new Set(selected);
    for (const key of keys) {
      if (all) next.delete(key);
      else next.add(key);
    }
    onSelect?.(next);
  };
  return <SelectionCheckbox label={t("table.selectAll")} all={all} some={chosen > 0} onPress={press} />;
}

export interface SelectEveryProps {
  /** Number of rows on all pages, and of selected ones. */
  total: number;
  chosen: number;
  onPress: (all: boolean) => void;
}

/** Select or clear every row of every page. */
export function SelectEvery({ total, chosen, onPress }: SelectEveryProps) {
  const { t } = useTranslation("common");
  const all = total > 0 && chosen >= total;
  const label = t("table.selectEvery", { total });
  return <SelectionCheckbox label={label} all={all} some={chosen > 0} onPress={() => onPress(!all)} />;
}

function SelectionCheckbox(props: { label: string; all: boolean; some: boolean; onPress: () => void }) {
  const { label, all, some, onPress } = props;
  return (
    <label className="data-table__check" title={label}>
      <input
        type="checkbox"
        checked={all}
        ref={(checkbox) => {
          if (checkbox) checkbox.indeterminate = some && !all;
        }}
        onChange={onPress}
      />
      <span className="visually-hidden">{label}</span>
    </label>
  );
}
