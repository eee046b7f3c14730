import { defineSlotRecipe } from "@chakra-ui/react";
import { toastSlotRecipe } from "@chakra-ui/react/theme";

const { base } = toastSlotRecipe;

/** Chakra's toast in alarm colours, with a touch-sized close button; loaded with the first toast. */
export const toastRecipe = defineSlotRecipe({
  ...toastSlotRecipe,
  base: {
    ...base,
    root: {
      ...base?.root,
      borderWidth: "1px",
      borderInlineStartWidth: "4px",
      borderColor: "border.strong",
      boxShadow: "lg",
      "--toast-trigger-bg": "colors.bg.sunk",
      pe: "12",
      "&[data-type=warning]": { bg: "alarm.p2.tint", color: "fg", borderColor: "alarm.p2.fg" },
      "&[data-type=error]": { bg: "alarm.p1.tint", color: "fg", borderColor: "alarm.p1.fg" },
      "&[data-type=success]": { bg: "bg.panel", color: "fg" },
    },
    closeTrigger: { ...base?.closeTrigger, minW: "11", minH: "11", top: "0", insetEnd: "0" },
    description: { ...base?.description, opacity: "1", color: "fg.muted" },
  },
});
