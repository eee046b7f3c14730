import { ChevronLeftIcon, ChevronRightIcon } from "lucide-react";
import { IconButton } from "../../components/icon-button.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import type { CategoryChipsProps } from "./CategoryChips.tsx";
import { useKept } from "./use-kept.ts";

const STATES = ["open", "closed"] as const;

/** Category list beside the page on a desktop. The user can collapse it, and this browser stores that. */
export function CategoryList({ categories, chosen, total, troubled, onChoose }: CategoryListProps) {
  const { t } = useTranslation("sensors");
  const { category: categoryName } = useLabels();
  const [state, setState] = useKept("mulkko.sensors.categories", STATES, "open");
  const open = state === "open";
  const toggle = (
    <IconButton
      label={t(open ? "category.close" : "category.open")}
      aria-expanded={open}
      onClick={() => setState(open ? "closed" : "open")}
    >
      {open ? <ChevronLeftIcon /> : <ChevronRightIcon />}
    </IconButton>
  );
  const row = (name: string | null, label: string, count: number, silent: number) => (
    <li key={name ?? ""}>
      <button
        type="button"
        className="category"
        aria-current={chosen === name ? "true" : undefined}
        onClick={() => onChoose(name)}
      >
        <span className="category__name">{label}</span>
        {silent > 0 && (
          <span className="chip__dot" role="img" aria-label={t("troubled", { count: silent })} />
        )}
        <span className="category__count">{count}</span>
      </button>
    </li>
  );
  if (!open)
    return (
      <div className="categories" data-closed>
        {toggle}
      </div>
    );
  return (
    <nav className="categories" aria-label={t("category.label")}>
      <div className="categories__head">
        <span>{t("category.label")}</span>
        {toggle}
      </div>
      <ul>
        {row(null, t("all"), total, troubled)}
        {categories.map((category) =>
          row(category.name, categoryName(category.name), category.count, category.troubled),
        )}
      </ul>
    </nav>
  );
}

export interface CategoryListProps extends CategoryChipsProps {
  /** Number of all sensors, and of those that are not fresh. */
  total: number;
  troubled: number;
}
