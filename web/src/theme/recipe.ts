import { mergeConfigs, type SlotRecipeDefinition } from "@chakra-ui/react";

/** A mouse's small control, enlarged for touch; `--finger` is in `base.css`. */
export const FINGER = "max({sizes.10}, var(--finger))";

/** Text in controls; 16 px prevents a phone from zooming into them. */
export const CONTROL = { textStyle: "none", fontSize: "max(1rem, {fontSizes.body})" };
export const OUTLINE = {
  bg: "bg.panel",
  borderColor: "border.strong",
  _readOnly: { borderStyle: "dashed", bg: "bg.sunk" },
};

/** Overlays close at once: their content may be gone before an animation ends. */
export const PANEL = { borderWidth: "1px", _closed: { animation: "none" } };

/**
 * Return one of Chakra's recipes with our changes, for the `recipe` of a component that only lazy pages use.
 * In the theme it would be in the first load.
 */
export function changedRecipe(recipe: SlotRecipeDefinition, changes: Partial<SlotRecipeDefinition>) {
  const only = (own: SlotRecipeDefinition) => ({ theme: { slotRecipes: { own } } });
  return mergeConfigs(only(recipe), only({ slots: [], ...changes })).theme?.slotRecipes?.own;
}
