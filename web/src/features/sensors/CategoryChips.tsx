import { chakra } from "@chakra-ui/react";
import { useTranslation } from "react-i18next";
import { Chip, ChipRow } from "../../components/chip.tsx";
import { useLabels } from "../../i18n/labels.ts";
import type { CountedCategory } from "./model.ts";

export interface CategoryChipsProps {
  categories: readonly CountedCategory[];
  /** Name of the open category; null for all. */
  chosen: string | null;
  onChoose: (name: string | null) => void;
}

/** One chip for each category; a hollow dot marks a category with a sensor that is not fresh. */
export function CategoryChips({ categories, chosen, onChoose }: CategoryChipsProps) {
  const { t } = useTranslation("sensors");
  const { category: categoryName } = useLabels();
  const chip = (name: string | null, label: string, count: number | undefined, troubled: number) => (
    <li key={name ?? ""}>
      <Chip count={count} aria-pressed={chosen === name} onClick={() => onChoose(name)}>
        {label}
        {troubled > 0 && (
          <chakra.span
            w="0.6rem"
            h="0.6rem"
            borderWidth="2px"
            borderStyle="dashed"
            borderColor="currentColor"
            rounded="full"
            role="img"
            aria-label={t("troubled", { count: troubled })}
          />
        )}
      </Chip>
    </li>
  );
  return (
    <ChipRow mb="4" aria-label={t("by.type")}>
      {chip(null, t("all"), undefined, 0)}
      {categories.map(({ name, count, troubled }) => chip(name, categoryName(name), count, troubled))}
    </ChipRow>
  );
}
