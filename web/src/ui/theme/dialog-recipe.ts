import { defineSlotRecipe } from "@chakra-ui/react";
import { dialogSlotRecipe } from "@chakra-ui/react/theme";

const { base } = dialogSlotRecipe;

/** Chakra's dialog with a border instead of a deep shadow; loaded with the first dialog. */
export const dialogRecipe = defineSlotRecipe({
  ...dialogSlotRecipe,
  base: {
    ...base,
    content: { ...base?.content, borderWidth: "1px", borderColor: "border", width: "calc(100% - 2rem)" },
  },
});
