import { Box, chakra, Flex, Text } from "@chakra-ui/react";
import { ChevronLeftIcon, ChevronRightIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Chip, ChipRow } from "../../components/chip.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { useLabels } from "../../i18n/labels.ts";
import type { CountedCategory } from "./model.ts";
import { useStoredChoice } from "./use-stored-choice.ts";

interface CategoryChipsProps {
  categories: readonly CountedCategory[];
  /** Name of the open category; null for all. */
  chosen: string | null;
  onChoose: (name: string | null) => void;
}

interface CategoryListProps extends CategoryChipsProps {
  /** Number of all sensors, and of those that are not fresh. */
  total: number;
  troubled: number;
}

/** Hollow dot of a category with sensors that are not fresh; nothing without any. */
function TroubledDot({ count }: { count: number }) {
  const { t } = useTranslation("sensors");
  if (count === 0) return null;
  return (
    <chakra.span
      w="0.6rem"
      h="0.6rem"
      borderWidth="2px"
      borderStyle="dashed"
      borderColor="currentColor"
      rounded="full"
      role="img"
      aria-label={t("troubled", { count })}
    />
  );
}

const STATES = ["open", "closed"] as const;

/** The list stays in view while the page scrolls. */
const FRAME = {
  className: "categories",
  position: "sticky",
  top: "calc(var(--frame-top) + var(--menu-bar) + 5rem)",
  layerStyle: "panel",
} as const;

/** Category list beside the page on a desktop. The user can collapse it, and this browser stores that. */
export function CategoryList({ categories, chosen, total, troubled, onChoose }: CategoryListProps) {
  const { t } = useTranslation("sensors");
  const { category: categoryName } = useLabels();
  const [state, setState] = useStoredChoice("mulkko.sensors.categories", STATES, "open");
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
      <chakra.button
        type="button"
        display="flex"
        alignItems="center"
        gap="2"
        w="full"
        minH="12"
        py="1"
        px="4"
        color="fg"
        fontSize="body"
        textAlign="start"
        cursor="pointer"
        _hover={{ bg: "bg.sunk" }}
        _focusVisible={{ outlineOffset: "-2px" }}
        css={{ "&&[aria-current]": { "&, &:hover": { bg: "fg", color: "bg.panel" } } }}
        aria-current={chosen === name ? "true" : undefined}
        onClick={() => onChoose(name)}
      >
        <chakra.span flex="1" minW="0">
          {label}
        </chakra.span>
        <TroubledDot count={silent} />
        <Text as="span" minW="1.5em" opacity={0.75} textAlign="end">
          {count}
        </Text>
      </chakra.button>
    </li>
  );
  return !open ? (
    <Box {...FRAME}>{toggle}</Box>
  ) : (
    <Box as="nav" {...FRAME} w="13.5rem" aria-label={t("category.label")}>
      <Flex
        align="center"
        justify="space-between"
        ps="4"
        borderBottomWidth="1px"
        color="fg.muted"
        fontSize="label"
        fontWeight="medium"
      >
        <span>{t("category.label")}</span>
        {toggle}
      </Flex>
      <chakra.ul
        position="relative"
        maxH="calc(100dvh - var(--frame-top) - var(--menu-bar) - 10rem)"
        py="1.5"
        overflowY="auto"
      >
        {row(null, t("all"), total, troubled)}
        {categories.map((category) =>
          row(category.name, categoryName(category.name), category.count, category.troubled),
        )}
      </chakra.ul>
    </Box>
  );
}

/** One chip for each category; a hollow dot marks a category with a sensor that is not fresh. */
export function CategoryChips({ categories, chosen, onChoose }: CategoryChipsProps) {
  const { t } = useTranslation("sensors");
  const { category: categoryName } = useLabels();
  const chip = (name: string | null, label: string, count: number | undefined, troubled: number) => (
    <li key={name ?? ""}>
      <Chip count={count} aria-pressed={chosen === name} onClick={() => onChoose(name)}>
        {label}
        <TroubledDot count={troubled} />
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
