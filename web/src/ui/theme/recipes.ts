import { defineConfig } from "@chakra-ui/react";
import { buttonRecipe, spinnerRecipe } from "@chakra-ui/react/theme";

/**
 * Only these recipes are shipped, because all of them are part of the first load: a component of Chakra's whose recipe
 * is missing here has no style, unless it is handed one where it is drawn (`dialog-recipe.ts`, `toast-recipe.ts`).
 * What the browser draws itself (fields, checkboxes, selects, tables) is styled by plain CSS.
 */
export const shippedRecipes = defineConfig({
  theme: { recipes: { button: buttonRecipe, spinner: spinnerRecipe } },
});
