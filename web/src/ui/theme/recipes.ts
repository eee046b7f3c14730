import { defineRecipe, defineSlotRecipe } from "@chakra-ui/react";
import {
  buttonRecipe,
  checkboxSlotRecipe,
  checkmarkRecipe,
  dialogSlotRecipe,
  drawerSlotRecipe,
  fieldSlotRecipe,
  inputRecipe,
  menuSlotRecipe,
  nativeSelectSlotRecipe,
  popoverSlotRecipe,
  radioGroupSlotRecipe,
  segmentGroupSlotRecipe,
  separatorRecipe,
  spinnerRecipe,
  switchSlotRecipe,
  tableSlotRecipe,
  tabsSlotRecipe,
  textareaRecipe,
  toastSlotRecipe,
} from "@chakra-ui/react/theme";

/** Targets are at least 48 px where fingers press them; a desktop's mouse gets a denser `sm`. */
const button = defineRecipe({
  ...buttonRecipe,
  variants: {
    ...buttonRecipe.variants,
    size: {
      ...buttonRecipe.variants?.size,
      sm: { h: "10", minW: "10", px: "3.5", gap: "2", textStyle: "sm", _phone: { h: "12", minW: "12" } },
      md: { h: "12", minW: "12", px: "5", gap: "2", textStyle: "md" },
      lg: { h: "14", minW: "14", px: "6", gap: "2.5", textStyle: "lg", fontWeight: "600" },
    },
  },
});

const input = defineRecipe({
  ...inputRecipe,
  variants: {
    ...inputRecipe.variants,
    size: {
      ...inputRecipe.variants?.size,
      md: { textStyle: "md", px: "3.5", "--input-height": "sizes.12" },
    },
    variant: {
      ...inputRecipe.variants?.variant,
      outline: {
        bg: "bg.panel",
        borderWidth: "1px",
        borderColor: "border.strong",
        focusVisibleRing: "outside",
        focusRingColor: "var(--focus-color)",
      },
    },
  },
});

const dialog = defineSlotRecipe({
  ...dialogSlotRecipe,
  base: {
    ...dialogSlotRecipe.base,
    backdrop: { ...dialogSlotRecipe.base?.backdrop, bg: "rgb(8 14 17 / 0.55)" },
    content: {
      ...dialogSlotRecipe.base?.content,
      borderWidth: "1px",
      borderColor: "border",
      mx: "4",
    },
  },
});

const segmentGroup = defineSlotRecipe({
  ...segmentGroupSlotRecipe,
  base: {
    ...segmentGroupSlotRecipe.base,
    root: {
      ...segmentGroupSlotRecipe.base?.root,
      "--segment-indicator-bg": "colors.fg",
      "--segment-indicator-shadow": "none",
      borderWidth: "1px",
      borderColor: "border",
      bg: "bg.panel",
    },
    item: {
      ...segmentGroupSlotRecipe.base?.item,
      color: "fg.muted",
      fontWeight: "500",
      cursor: "pointer",
      _checked: { color: "bg.panel" },
      _before: { display: "none" },
    },
  },
  variants: {
    size: {
      ...segmentGroupSlotRecipe.variants?.size,
      sm: { item: { textStyle: "sm", px: "3", gap: "2", height: "9", _phone: { height: "12", px: "3.5" } } },
      md: { item: { textStyle: "sm", px: "4", gap: "2", height: "12" } },
    },
  },
});

const toast = defineSlotRecipe({
  ...toastSlotRecipe,
  base: {
    ...toastSlotRecipe.base,
    root: {
      ...toastSlotRecipe.base?.root,
      borderWidth: "1px",
      borderColor: "border.strong",
      borderInlineStartWidth: "4px",
      boxShadow: "lg",
      "--toast-trigger-bg": "colors.bg.sunk",
      "&[data-type=warning]": { bg: "alarm.p2.tint", color: "fg", borderColor: "alarm.p2.fg" },
      "&[data-type=error]": { bg: "alarm.p1.tint", color: "fg", borderColor: "alarm.p1.fg" },
      "&[data-type=success]": { bg: "bg.panel", color: "fg" },
    },
    description: { ...toastSlotRecipe.base?.description, opacity: "1", color: "fg.muted" },
  },
});

/** Only these recipes are shipped: a component whose recipe is missing here has no style. */
export const recipes = {
  button,
  input,
  textarea: textareaRecipe,
  separator: separatorRecipe,
  spinner: spinnerRecipe,
  checkmark: checkmarkRecipe,
};

export const slotRecipes = {
  dialog,
  segmentGroup,
  toast,
  checkbox: checkboxSlotRecipe,
  drawer: drawerSlotRecipe,
  field: fieldSlotRecipe,
  menu: menuSlotRecipe,
  nativeSelect: nativeSelectSlotRecipe,
  popover: popoverSlotRecipe,
  radioGroup: radioGroupSlotRecipe,
  switch: switchSlotRecipe,
  table: tableSlotRecipe,
  tabs: tabsSlotRecipe,
};
