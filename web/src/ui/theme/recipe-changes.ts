import { defineConfig } from "@chakra-ui/react";

/** A mouse's small button, and as high as a finger needs where fingers press; `--finger` is in `base.css`. */
const FINGER_SM = "max({sizes.10}, var(--finger))";

/**
 * What differs from Chakra's own recipes; merged over them. Targets are at least 48 px where fingers press them
 * (a mouse gets a denser `sm`), selection is ink, panels have borders instead of deep shadows.
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
