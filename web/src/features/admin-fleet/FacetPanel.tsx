import { Flex, Grid, Text } from "@chakra-ui/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Chip } from "../../components/chip.tsx";
import { SearchBox } from "../../components/field.tsx";

/** Filter value with the number of devices that it would show. */
export interface FacetChoice {
  readonly value: string;
  readonly label: string;
  readonly count: number;
  readonly chosen: boolean;
}

/** Number of values from which the panel has a search field. */
const SEARCHED_FROM = 16;

interface FacetPanelProps {
  readonly label: string;
  readonly choices: readonly FacetChoice[];
  readonly onToggle: (value: string) => void;
}

/** Show all values of one facet as chips with their counts. */
export function FacetPanel({ label, choices, onToggle }: FacetPanelProps) {
  const { t } = useTranslation("fleet");
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  const found = choices.filter(
    (choice) => choice.chosen || wanted === "" || choice.label.toLowerCase().includes(wanted),
  );
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
        {found.map(({ value, label: words, count, chosen }) => (
          <li key={value}>
            <Chip dense count={count} aria-pressed={chosen} onClick={() => onToggle(value)}>
              {words}
            </Chip>
          </li>
        ))}
      </Flex>
    </Grid>
  );
}
