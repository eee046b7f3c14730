import { defineGlobalStyles } from "@chakra-ui/react";

/** Global rules. Component styles are plain CSS beside their components. */
export const globalCss = defineGlobalStyles({
  "*": {
    "--global-font-mono": "fonts.mono",
    "--global-font-body": "fonts.body",
    "--global-color-border": "colors.border",
  },
  html: {
    color: "fg",
    bg: "bg.canvas",
    colorPalette: "gray",
    fontFamily: "body",
    fontSize: "100%",
    fontVariantNumeric: "tabular-nums",
    wordBreak: "keep-all",
    overflowWrap: "anywhere",
    accentColor: "{colors.fg}",
    scrollbarColor: "{colors.border.strong} transparent",
  },
  "html[lang=zh]": { wordBreak: "normal" },
  body: { textStyle: "body", minHeight: "100dvh" },
  "*::placeholder, *[data-placeholder]": { color: "fg.subtle" },
  "*::selection": { bg: "{colors.fg}", color: "{colors.bg.panel}" },
  ":where(a, button, [tabindex], summary, input, select, textarea):focus-visible": {
    outline: "2px solid {colors.fg}",
    outlineOffset: "2px",
  },
  "*, *::before, *::after": {
    _motionReduce: {
      animationDuration: "0.01ms !important",
      animationIterationCount: "1 !important",
      transitionDuration: "0.01ms !important",
      scrollBehavior: "auto !important",
    },
  },
});
