import { createSystem, defaultBaseConfig, defineConfig } from "@chakra-ui/react";
import * as chakra from "@chakra-ui/react/theme";

/** A token of `tokens.css`, for Chakra. */
const mk = (name: string) => ({ value: `var(--mk-${name})` });
const color = (name: string) => mk(`colors-${name}`);
const size = (name: string) => mk(`font-sizes-${name}`);

/** A mouse's small control, enlarged for touch; `--finger` is in `base.css`. */
const FINGER = "max({sizes.10}, var(--finger))";

/** Text in controls; 16 px prevents a phone from zooming into them. */
const CONTROL = { textStyle: "none", fontSize: "max(1rem, {fontSizes.body})" };
const OUTLINE = {
  bg: "bg.panel",
  borderColor: "border.strong",
  _readOnly: { borderStyle: "dashed", bg: "bg.sunk" },
};

/** Overlays close at once: their content may be gone before an animation ends. */
const PANEL = { borderWidth: "1px", _closed: { animation: "none" } };

const STEPS = [
  0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 40, 48, 64,
];
/** Multiples of a 4 px base, named by their factor: `4` is 16 px. */
const steps = Object.fromEntries(STEPS.map((step) => [`${step}`, { value: `${step / 4}rem` }]));

const alarm = (priority: "p1" | "p2" | "p3") => ({
  fg: color(`alarm-${priority}-fg`),
  tint: color(`alarm-${priority}-tint`),
  solid: color(`alarm-${priority}-solid`),
  contrast: color(`alarm-${priority}-contrast`),
});

/** Recipes of the components that the client uses; a component without its recipe here has no style. */
const recipes = defineConfig({
  theme: {
    recipes: {
      badge: chakra.badgeRecipe,
      button: chakra.buttonRecipe,
      checkmark: chakra.checkmarkRecipe,
      heading: chakra.headingRecipe,
      icon: chakra.iconRecipe,
      input: chakra.inputRecipe,
      inputAddon: chakra.inputAddonRecipe,
      link: chakra.linkRecipe,
      radiomark: chakra.radiomarkRecipe,
      separator: chakra.separatorRecipe,
      skeleton: chakra.skeletonRecipe,
      spinner: chakra.spinnerRecipe,
      textarea: chakra.textareaRecipe,
    },
    slotRecipes: {
      accordion: chakra.accordionSlotRecipe,
      alert: chakra.alertSlotRecipe,
      card: chakra.cardSlotRecipe,
      checkbox: chakra.checkboxSlotRecipe,
      combobox: chakra.comboboxSlotRecipe,
      datePicker: chakra.datePickerSlotRecipe,
      dialog: chakra.dialogSlotRecipe,
      drawer: chakra.drawerSlotRecipe,
      emptyState: chakra.emptyStateSlotRecipe,
      field: chakra.fieldSlotRecipe,
      fieldset: chakra.fieldsetSlotRecipe,
      fileUpload: chakra.fileUploadSlotRecipe,
      menu: chakra.menuSlotRecipe,
      nativeSelect: chakra.nativeSelectSlotRecipe,
      numberInput: chakra.numberInputSlotRecipe,
      popover: chakra.popoverSlotRecipe,
      progress: chakra.progressSlotRecipe,
      qrCode: chakra.qrCodeSlotRecipe,
      radioGroup: chakra.radioGroupSlotRecipe,
      segmentGroup: chakra.segmentGroupSlotRecipe,
      switch: chakra.switchSlotRecipe,
      table: chakra.tableSlotRecipe,
      tabs: chakra.tabsSlotRecipe,
      tag: chakra.tagSlotRecipe,
      toast: chakra.toastSlotRecipe,
      tooltip: chakra.tooltipSlotRecipe,
    },
  },
});

/**
 * Changes to these recipes. Touch targets are at least 48 px (a mouse gets a denser `sm`), selection is ink,
 * panels have borders instead of deep shadows.
 */
const changes = defineConfig({
  theme: {
    recipes: {
      link: { variants: { variant: { underline: { textDecorationColor: "currentColor" } } } },
      skeleton: { variants: { variant: { pulse: { bg: "bg.sunk" } } } },
      input: {
        variants: {
          size: { md: { ...CONTROL, px: "3.5", "--input-height": "sizes.12" } },
          variant: { outline: OUTLINE },
        },
      },
      textarea: {
        variants: {
          size: { md: { ...CONTROL, px: "3.5", minH: "24", resize: "vertical", lineHeight: "1.5" } },
          variant: { outline: OUTLINE },
        },
      },
      button: {
        variants: {
          size: {
            sm: { h: FINGER, minW: FINGER, px: "3.5" },
            md: { h: "12", minW: "12", px: "5", textStyle: "md" },
            lg: { h: "14", minW: "14", px: "6", gap: "2.5", textStyle: "lg", fontWeight: "600" },
          },
        },
      },
    },
    slotRecipes: {
      alert: {
        slots: [],
        base: {
          root: { alignItems: "center", rounded: "card", textStyle: "body", borderColor: "colorPalette.fg" },
          title: { fontWeight: "semibold" },
        },
        variants: { size: { md: { root: { gap: "2.5", px: "4", py: "3", textStyle: "body" } } } },
      },
      card: {
        slots: [],
        base: {
          root: { rounded: "card" },
          header: {
            flexDirection: "row",
            flexWrap: "wrap",
            alignItems: "center",
            justifyContent: "space-between",
            gap: "2",
            pt: "3.5",
          },
          body: { display: "block" },
        },
        variants: {
          size: { md: { root: { "--card-padding": "spacing.card" }, title: { textStyle: "title" } } },
        },
      },
      emptyState: {
        slots: [],
        base: { title: { textStyle: "title" }, description: { textStyle: "body" } },
        variants: {
          size: { md: { root: { px: "4", py: "8" }, title: { textStyle: "title" }, content: { gap: "3" } } },
        },
      },
      table: {
        slots: [],
        base: {
          // Sticky cells lose the borders of a collapsed table.
          root: { borderCollapse: "separate", borderSpacing: "0" },
          body: {
            "& > tr:hover": { bg: "color-mix(in srgb, {colors.bg.sunk} 55%, {colors.bg.panel})" },
            "& > tr[data-selected]": { bg: "bg.sunk" },
            "& > tr:last-child > *": { borderBottomWidth: "0" },
          },
          columnHeader: {
            h: "12",
            bg: "inherit",
            textStyle: "label",
            color: "fg.muted",
            whiteSpace: "nowrap",
            "&[aria-sort]": { color: "fg", fontWeight: "650" },
          },
          cell: { h: "12", bg: "inherit", whiteSpace: "nowrap" },
        },
        variants: {
          variant: { line: { row: { bg: "bg.panel" } } },
          size: {
            md: {
              root: { textStyle: "body" },
              columnHeader: { px: "2.5", py: "1.5" },
              cell: { px: "2.5", py: "1.5" },
            },
          },
        },
      },
      checkbox: {
        slots: [],
        base: {
          root: {
            display: "flex",
            gap: "3",
            minH: "12",
            cursor: "checkbox",
            _disabled: { cursor: "disabled" },
          },
          control: { borderWidth: "2px", bg: "bg.panel" },
          label: { fontWeight: "inherit" },
        },
        variants: {
          size: { md: { root: { gap: "3" }, label: { textStyle: "none" }, control: { boxSize: "6" } } },
          variant: { solid: { control: { borderColor: "border.strong" } } },
        },
      },
      combobox: {
        slots: [],
        base: {
          root: { position: "relative", gap: "1" },
          content: {
            borderWidth: "1px",
            borderColor: "border.strong",
            boxShadow: "none",
            "&[data-empty]": { display: "none" },
          },
          item: {
            flex: "none",
            minH: FINGER,
            _highlighted: { bg: "bg.sunk" },
            _disabled: { opacity: "1", color: "fg.subtle" },
          },
        },
        variants: {
          size: {
            md: {
              root: { "--combobox-input-height": "sizes.12", "--combobox-input-padding-x": "spacing.3.5" },
              input: CONTROL,
              content: { "--combobox-item-padding-x": "spacing.3", textStyle: "none" },
            },
          },
          variant: { outline: { input: OUTLINE } },
        },
      },
      datePicker: {
        slots: [],
        base: {
          table: { width: "100%", tableLayout: "fixed", fontVariantNumeric: "tabular-nums" },
          tableCell: { px: "0" },
          tableCellTrigger: {
            width: "100%",
            minW: "0",
            minH: "max({sizes.11}, var(--finger))",
            // Seven days stand beside each other however large the letters are.
            fontSize: "min({fontSizes.sm}, 5.2vw)",
            cursor: "pointer",
            _today: { fontWeight: "bold" },
            "&[data-in-hover-range]": { bg: "bg.sunk", borderRadius: "0" },
            "&[data-outside-range]": { color: "fg.subtle" },
          },
        },
        variants: { size: { md: { view: { "--datepicker-nav-trigger-size": "sizes.12" } } } },
      },
      dialog: {
        slots: [],
        base: {
          backdrop: PANEL,
          content: { ...PANEL, borderColor: "border", width: "calc(100% - 2rem)", textStyle: "none" },
          header: { px: "5", pt: "5", pb: "0" },
          title: { textStyle: "title" },
          body: { display: "grid", gap: "3.5", minW: "0", px: "5", py: "4" },
          footer: {
            flexWrap: "wrap",
            px: "5",
            pt: "0",
            pb: "5",
            "[data-surface=phone] &": { "& > *": { flex: "1" } },
          },
        },
      },
      drawer: {
        slots: [],
        base: {
          backdrop: { _closed: { animation: "none" } },
          content: {
            textStyle: "none",
            _open: { animationDuration: "moderate" },
            _closed: { animation: "none" },
          },
          header: {
            gap: "3",
            justifyContent: "space-between",
            py: "2",
            ps: "4",
            pe: "2",
            borderBottomWidth: "1px",
            borderColor: "border",
          },
          title: { textStyle: "title" },
          body: { p: "0", overscrollBehavior: "contain" },
        },
      },
      field: {
        slots: [],
        base: {
          label: { display: "block", textStyle: "label", userSelect: "auto" },
          requiredIndicator: { ms: "1" },
          // One line for each error from the server.
          errorText: { display: "block", textStyle: "caption", whiteSpace: "pre-line" },
          helperText: { textStyle: "caption" },
        },
      },
      menu: {
        slots: [],
        base: {
          content: { ...PANEL, borderColor: "border", boxShadow: "md", maxW: "calc(100vw - 2rem)" },
          item: { fontWeight: "medium" },
        },
        variants: {
          variant: { subtle: { item: { _highlighted: { bg: "bg.sunk" } } } },
          size: {
            md: {
              content: { minW: "11rem", padding: "1" },
              item: { gap: "2.5", textStyle: "none", minH: "12", px: "3.5" },
            },
          },
        },
      },
      nativeSelect: {
        slots: [],
        variants: {
          size: {
            md: {
              root: { "--select-field-height": "sizes.12" },
              field: { ...CONTROL, ps: "3.5", pe: "10", cursor: "pointer" },
              indicator: { insetEnd: "3" },
            },
          },
          variant: { outline: { field: OUTLINE } },
        },
      },
      popover: {
        slots: [],
        base: {
          content: {
            ...PANEL,
            borderColor: "border",
            borderRadius: "card",
            boxShadow: "md",
            textStyle: "none",
          },
        },
      },
      segmentGroup: {
        slots: [],
        base: {
          root: {
            flexShrink: "0",
            flexWrap: "wrap",
            minW: "0",
            maxW: "100%",
            p: "2px",
            borderWidth: "1px",
            borderColor: "border",
            bg: "bg.panel",
          },
          item: {
            borderRadius: "6px",
            color: "fg.muted",
            fontWeight: "medium",
            _before: { display: "none" },
            _checked: { bg: "fg", color: "bg.panel" },
            // Chakra's own look until it has measured its indicator, which is not used here.
            "&[data-state=checked][data-ssr]": { bg: "fg", shadow: "none" },
            // Mark the chosen segment with system colours.
            "@media (forced-colors: active)": {
              _checked: { bg: "Highlight", color: "HighlightText", forcedColorAdjust: "none" },
            },
          },
        },
        variants: {
          size: { md: { item: { height: "auto", minH: "max({sizes.9}, var(--finger))", px: "3" } } },
        },
      },
      switch: {
        slots: [],
        base: {
          root: {
            display: "flex",
            gap: "3",
            minH: "12",
            cursor: "switch",
            _disabled: { cursor: "disabled" },
          },
          label: { lineHeight: "inherit", fontSize: "inherit", fontWeight: "inherit" },
        },
        variants: {
          variant: {
            solid: {
              control: {
                borderWidth: "2px",
                borderColor: "border.strong",
                bg: "bg.panel",
                _checked: { borderColor: "fg" },
              },
              thumb: {
                width: "calc(var(--switch-height) - 4px)",
                height: "calc(var(--switch-height) - 4px)",
                // A border is all that is left of it in forced colours.
                borderWidth: "1px",
                borderColor: "transparent",
                bg: "border.strong",
                boxShadow: "none",
              },
            },
          },
          size: { md: { root: { "--switch-width": "sizes.11", "--switch-height": "1.625rem" } } },
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

/**
 * The design system of the farmer's client: Chakra's recipes over the variables of `tokens.css`, which hold
 * the colour mode and the surface. The wall and live values use those variables without Chakra.
 */
export const theme = createSystem(
  defaultBaseConfig,
  recipes,
  changes,
  defineConfig({
    preflight: true,
    cssVarsPrefix: "ck",
    // A dark ground has the colours of the dark mode on a light page.
    cssVarsRoot: ":where(html, .dark)",
    globalCss: {
      "html, .dark": { colorPalette: "gray" },
      "*": { "--global-font-mono": "fonts.mono", "--global-font-body": "fonts.body" },
    },
    theme: {
      breakpoints: chakra.breakpoints,
      keyframes: chakra.keyframes,
      layerStyles: chakra.layerStyles,
      animationStyles: chakra.animationStyles,
      textStyles: {
        caption: { value: { fontSize: "caption", lineHeight: "1.4" } },
        label: { value: { fontSize: "label", lineHeight: "1.35", fontWeight: "500" } },
        body: { value: { fontSize: "body", lineHeight: "1.55" } },
        title: { value: { fontSize: "title", lineHeight: "1.35", fontWeight: "600" } },
        heading: {
          value: { fontSize: "heading", lineHeight: "1.3", fontWeight: "650", letterSpacing: "-0.01em" },
        },
        reading: { value: { fontSize: "reading", lineHeight: "1.05", fontWeight: "600" } },
        hero: { value: { fontSize: "hero", lineHeight: "1.05", fontWeight: "600" } },
        xs: { value: { fontSize: "xs", lineHeight: "1.4" } },
        sm: { value: { fontSize: "sm", lineHeight: "1.5" } },
        md: { value: { fontSize: "md", lineHeight: "1.5" } },
        lg: { value: { fontSize: "lg", lineHeight: "1.35" } },
        xl: { value: { fontSize: "xl", lineHeight: "1.3" } },
        none: { value: {} },
      },
      tokens: {
        colors: {
          transparent: { value: "transparent" },
          current: { value: "currentColor" },
          white: { value: "#FFFFFF" },
          black: { value: "#000000" },
          blackAlpha: { 500: { value: "rgb(8 14 17 / 0.55)" } },
        },
        cursor: {
          button: { value: "pointer" },
          checkbox: { value: "pointer" },
          disabled: { value: "not-allowed" },
          menuitem: { value: "pointer" },
          option: { value: "pointer" },
          radio: { value: "pointer" },
          slider: { value: "pointer" },
          switch: { value: "pointer" },
        },
        durations: {
          faster: { value: "80ms" },
          fast: { value: "120ms" },
          moderate: { value: "160ms" },
          slow: { value: "240ms" },
          slower: { value: "320ms" },
        },
        easings: {
          "ease-in": { value: "cubic-bezier(0.42, 0, 1, 1)" },
          "ease-out": { value: "cubic-bezier(0, 0, 0.58, 1)" },
          "ease-in-out": { value: "cubic-bezier(0.42, 0, 0.58, 1)" },
        },
        fonts: { body: mk("fonts-body"), heading: mk("fonts-body"), mono: mk("fonts-mono") },
        fontWeights: {
          normal: { value: "400" },
          medium: { value: "500" },
          semibold: { value: "600" },
          bold: { value: "700" },
        },
        radii: {
          none: { value: "0" },
          xs: { value: "3px" },
          sm: mk("radii-sm"),
          md: mk("radii-md"),
          lg: mk("radii-lg"),
          full: { value: "9999px" },
          card: mk("radii-card"),
        },
        spacing: steps,
        sizes: {
          ...steps,
          "3xs": { value: "14rem" },
          "2xs": { value: "16rem" },
          xs: { value: "20rem" },
          sm: { value: "24rem" },
          md: { value: "28rem" },
          lg: { value: "32rem" },
          xl: { value: "36rem" },
          "2xl": { value: "42rem" },
          "4xl": { value: "56rem" },
          "6xl": { value: "72rem" },
          full: { value: "100%" },
          "1/2": { value: "50%" },
          max: { value: "max-content" },
          min: { value: "min-content" },
          fit: { value: "fit-content" },
          // Minimum touch target for a wet thumb, and the valve's own.
          target: { value: "var(--target)" },
          valve: { value: "3.5rem" },
        },
        zIndex: {
          hide: { value: -1 },
          base: { value: 0 },
          docked: { value: 10 },
          dropdown: mk("z-index-dropdown"),
          sticky: mk("z-index-sticky"),
          banner: mk("z-index-banner"),
          overlay: mk("z-index-overlay"),
          modal: { value: 1400 },
          popover: mk("z-index-popover"),
          skipNav: mk("z-index-skip-nav"),
          toast: { value: 1700 },
          tooltip: { value: 1800 },
        },
      },
      semanticTokens: {
        // `gray` is Chakra's name of the neutral palette: here it is ink, because buttons and selection carry
        // no hue. `red` is the destructive one.
        colors: {
          bg: {
            DEFAULT: color("bg"),
            canvas: color("bg-canvas"),
            panel: color("bg-panel"),
            sunk: color("bg-sunk"),
            subtle: color("bg-sunk"),
            muted: color("bg-sunk"),
            emphasized: color("bg-emphasized"),
            inverted: color("fg"),
            error: color("alarm-p1-tint"),
            warning: color("alarm-p2-tint"),
            success: color("bg-sunk"),
            info: color("bg-sunk"),
          },
          fg: {
            DEFAULT: color("fg"),
            muted: color("fg-muted"),
            subtle: color("fg-subtle"),
            inverted: color("bg-panel"),
            error: color("alarm-p1-fg"),
            warning: color("alarm-p2-fg"),
            success: color("fg"),
            info: color("fg-muted"),
          },
          border: {
            DEFAULT: color("border"),
            muted: color("border"),
            subtle: color("bg-sunk"),
            emphasized: color("border-strong"),
            strong: color("border-strong"),
            inverted: color("fg"),
            error: color("alarm-p1-fg"),
          },
          alarm: { p1: alarm("p1"), p2: alarm("p2"), p3: alarm("p3") },
          flow: { DEFAULT: color("flow"), tint: color("flow-tint") },
          gray: {
            contrast: color("bg-panel"),
            fg: color("fg"),
            subtle: color("bg-sunk"),
            muted: color("border"),
            emphasized: color("border-strong"),
            solid: color("fg"),
            focusRing: color("fg"),
            border: color("border-strong"),
          },
          red: {
            contrast: color("alarm-p1-contrast"),
            fg: color("alarm-p1-fg"),
            subtle: color("alarm-p1-tint"),
            muted: color("alarm-p1-tint"),
            emphasized: color("alarm-p1-fg"),
            solid: color("alarm-p1-solid"),
            focusRing: color("fg"),
            border: color("alarm-p1-fg"),
          },
        },
        fontSizes: {
          caption: size("caption"),
          body: size("body"),
          label: size("label"),
          title: size("title"),
          heading: size("heading"),
          reading: size("reading"),
          hero: size("hero"),
          // Names that Chakra's recipes use.
          xs: size("caption"),
          sm: size("sm"),
          md: size("md"),
          lg: size("title"),
          xl: size("heading"),
        },
        radii: {
          l1: { value: "{radii.sm}" },
          l2: { value: "{radii.md}" },
          l3: { value: "{radii.lg}" },
        },
        shadows: {
          xs: { value: "none" },
          sm: { value: "0 1px 2px rgb(10 20 25 / 0.12)" },
          md: mk("shadows-md"),
          lg: mk("shadows-lg"),
          xl: mk("shadows-lg"),
          inset: { value: "none" },
        },
        spacing: { card: mk("spacing-card"), page: mk("spacing-page") },
      },
    },
  }),
);
