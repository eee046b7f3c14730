import { defineConfig } from "@chakra-ui/react";

/** A mouse's small button, enlarged for touch; `--finger` is in `base.css`. */
const FINGER_SM = "max({sizes.10}, var(--finger))";

/**
 * Changes to Chakra's recipes, merged over them. Touch targets are at least 48 px (a mouse gets a denser
 * `sm`), selection is ink, panels have borders instead of deep shadows.
 */
export const recipeChanges = defineConfig({
  theme: {
    recipes: {
      button: {
        variants: {
          size: {
            sm: { h: FINGER_SM, minW: FINGER_SM, px: "3.5" },
            md: { h: "12", minW: "12", px: "5", textStyle: "md" },
            lg: { h: "14", minW: "14", px: "6", gap: "2.5", textStyle: "lg", fontWeight: "600" },
          },
        },
      },
    },
  },
});
