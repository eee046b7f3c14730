import { tableSlotRecipe } from "@chakra-ui/react/theme";
import { changedRecipe } from "../theme/recipe.ts";

/** Style of every table. */
export const TABLE = changedRecipe(tableSlotRecipe, {
  base: {
    // Sticky cells lose the borders of a collapsed table.
    root: { borderCollapse: "separate", borderSpacing: "0" },
    body: {
      "& > tr:hover": { bg: "color-mix(in srgb, {colors.bg.sunk} 55%, {colors.bg.panel})" },
      "& > tr[data-selected]": { bg: "bg.sunk" },
      "& > tr:last-child > *": { borderBottomWidth: "0" },
    },
    columnHeader: {
      h: "12",
      bg: "inherit",
      textStyle: "label",
      color: "fg.muted",
      whiteSpace: "nowrap",
      "&[aria-sort]": { color: "fg", fontWeight: "650" },
    },
    cell: { h: "12", bg: "inherit", whiteSpace: "nowrap" },
  },
  variants: {
    variant: { line: { row: { bg: "bg.panel" } } },
    size: {
      md: {
        root: { textStyle: "body" },
        columnHeader: { px: "2.5", py: "1.5" },
        cell: { px: "2.5", py: "1.5" },
      },
    },
  },
});
