import { useTranslation } from "../../i18n/use-translation.ts";
import "./data-table.css";

interface PageSizeProps {
  size: number;
  sizes: readonly number[];
  onSize: (size: number) => void;
}

/** Select the number of rows per page. */
export function PageSize({ size, sizes, onSize }: PageSizeProps) {
  const { t } = useTranslation("common");
  return (
    <label className="data-table__size">
      {t("table.size")}
      <select value={size} onChange={(event) => onSize(Number(event.target.value))}>
        {sizes.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
