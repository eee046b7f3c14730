import { defineConfig } from "@chakra-ui/react";

/**
 * What differs from Chakra's own recipes; merged over them. Targets are at least 48 px where fingers press them
 * (a desktop's mouse gets a denser `sm`), selection is ink, panels have borders instead of deep shadows.
 */
export const recipeChanges = defineConfig({
  theme: {
    recipes: {
      button: {
        variants: {
          size: {
            sm: { h: "10", minW: "10", px: "3.5", "[data-surface=phone] &": { h: "12", minW: "12" } },
            md: { h: "12", minW: "12", px: "5", textStyle: "md" },
            lg: { h: "14", minW: "14", px: "6", gap: "2.5", textStyle: "lg", fontWeight: "600" },
          },
        },
      },
    },
  },
});
