import { defineConfig } from "@chakra-ui/react";
import { buttonRecipe, spinnerRecipe } from "@chakra-ui/react/theme";

/**
 * The shipped recipes; all are part of the first load. A Chakra component without a recipe here has no style,
 * unless it receives one locally (`dialog-recipe.ts`, `toast-recipe.ts`). Native elements (inputs,
 * checkboxes, selects, tables) use plain CSS.
 */
export const shippedRecipes = defineConfig({
  theme: { recipes: { button: buttonRecipe, spinner: spinnerRecipe } },
});
