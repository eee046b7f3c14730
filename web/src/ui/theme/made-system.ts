import { createSystem, defaultBaseConfig, defineConfig } from "@chakra-ui/react";
import { animationStyles, breakpoints, keyframes, layerStyles } from "@chakra-ui/react/theme";
import { colors, rawColors } from "./colors.ts";
import { globalCss } from "./global-css.ts";
import { recipeChanges } from "./recipe-changes.ts";
import { shippedRecipes } from "./recipes.ts";
import {
  cursor,
  durations,
  easings,
  radii,
  semanticRadii,
  semanticSpacing,
  shadows,
  sizes,
  spacing,
  zIndex,
} from "./scales.ts";
import { fontSizes, fonts, fontWeights, textStyles } from "./typography.ts";

/**
 * Create the design system: one set of tokens for three surfaces. `data-surface` on `<html>` selects the
 * surface, its class the color mode. Every token is a CSS variable `--mk-…` for plain CSS too.
 *
 * The result holds a few thousand tokens: see `system.ts` for when it is created.
 */
export const makeSystem = () =>
  createSystem(
    defaultBaseConfig,
    shippedRecipes,
    recipeChanges,
    defineConfig({
      preflight: true,
      cssVarsPrefix: "mk",
      cssVarsRoot: ":where(html)",
      conditions: {
        wall: "[data-surface=wall] &",
        phone: "[data-surface=phone] &",
      },
      globalCss,
      theme: {
        breakpoints,
        keyframes,
        tokens: {
          colors: rawColors,
          fontWeights,
          cursor,
          durations,
          easings,
          fonts,
          radii,
          sizes,
          spacing,
          zIndex,
        },
        semanticTokens: { colors, fontSizes, radii: semanticRadii, shadows, spacing: semanticSpacing },
        textStyles,
        layerStyles,
        animationStyles,
      },
    }),
  );
