import { defineConfig } from "@chakra-ui/react";

const outlineInput = { bg: "bg.panel", borderColor: "border.strong", focusVisibleRing: "outside" };

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
      input: {
        variants: {
          size: { md: { textStyle: "md", px: "3.5", "--input-height": "sizes.12" } },
          variant: { outline: outlineInput },
        },
      },
      textarea: { variants: { variant: { outline: outlineInput } } },
    },
    slotRecipes: {
      dialog: {
        slots: [],
        base: {
          content: { borderWidth: "1px", borderColor: "border", width: "calc(100% - 2rem)" },
        },
      },
      field: { slots: [], base: { label: { textStyle: "label" }, errorText: { textStyle: "caption" } } },
      segmentGroup: {
        slots: [],
        base: {
          root: {
            "--segment-radius": "radii.md",
            borderWidth: "1px",
            borderColor: "border",
            bg: "bg.panel",
            boxShadow: "none",
            p: "2px",
          },
          item: {
            color: "fg.muted",
            fontWeight: "500",
            cursor: "pointer",
            borderRadius: "6px",
            // The chosen item itself inverts: an indicator that slides to it can be left behind.
            _checked: { bg: "fg", color: "bg.panel" },
            // The library's own look of it before its script has run.
            "&[data-state=checked][data-ssr]": { bg: "fg", shadow: "none", borderRadius: "6px" },
          },
        },
        variants: {
          size: {
            sm: { item: { px: "3", height: "9", "[data-surface=phone] &": { height: "11", px: "3.5" } } },
            md: { item: { height: "11" } },
          },
        },
      },
      toast: {
        slots: [],
        base: {
          root: {
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
          closeTrigger: { minW: "11", minH: "11", top: "0", insetEnd: "0" },
          description: { opacity: "1", color: "fg.muted" },
        },
      },
    },
  },
});
