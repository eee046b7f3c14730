import { createSystem, defaultBaseConfig, defineConfig } from "@chakra-ui/react";
import * as chakra from "@chakra-ui/react/theme";
import { CONTROL, FINGER, OUTLINE } from "./recipe.ts";

/** A token of `tokens.css`, for Chakra. */
const mk = (name: string) => ({ value: `var(--mk-${name})` });
const color = (name: string) => mk(`colors-${name}`);
const size = (name: string) => mk(`font-sizes-${name}`);

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

/**
 * Recipes of the components on the first page, and of those in several files. Another component passes its own
 * as `recipe` (see `recipe.ts`); without any it has no style.
 */
const recipes = defineConfig({
  theme: {
    recipes: {
      badge: chakra.badgeRecipe,
      button: chakra.buttonRecipe,
      heading: chakra.headingRecipe,
      input: chakra.inputRecipe,
      link: chakra.linkRecipe,
      skeleton: chakra.skeletonRecipe,
      spinner: chakra.spinnerRecipe,
      textarea: chakra.textareaRecipe,
    },
    slotRecipes: {
      alert: chakra.alertSlotRecipe,
      card: chakra.cardSlotRecipe,
      emptyState: chakra.emptyStateSlotRecipe,
      field: chakra.fieldSlotRecipe,
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
    // With layers, each style that is added makes Chromium style and lay out the whole page again.
    disableLayers: true,
    cssVarsPrefix: "ck",
    // A dark ground has the colours of the dark mode on a light page.
    cssVarsRoot: ":where(html, .dark)",
    globalCss: {
      // Not on `*`, as Chakra's own theme has it: variables of its own make each element's style dearer.
      "html, .dark": {
        colorPalette: "gray",
        "--global-font-mono": "fonts.mono",
        "--global-font-body": "fonts.body",
        "--global-color-border": "colors.border",
      },
    },
    theme: {
      breakpoints: chakra.breakpoints,
      keyframes: chakra.keyframes,
      layerStyles: {
        disabled: { value: { opacity: "0.5", cursor: "not-allowed" } },
        panel: { value: { borderWidth: "1px", borderRadius: "card", bg: "bg.panel" } },
      },
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
