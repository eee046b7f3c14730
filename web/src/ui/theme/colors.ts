import { PALETTE, type Pair } from "./palette.ts";

const token = (pair: Pair) => ({ value: { base: pair.light, _dark: pair.dark } });

const alarm = (p: "p1" | "p2" | "p3") => ({
  fg: token(PALETTE[p]),
  tint: token(PALETTE[`${p}Tint`]),
  solid: token(PALETTE[`${p}Solid`]),
  contrast: token(PALETTE[`${p}OnSolid`]),
});

/** Colours that Chakra's recipes reference by name. */
export const rawColors = {
  transparent: { value: "transparent" },
  current: { value: "currentColor" },
  white: { value: "#FFFFFF" },
  black: { value: "#000000" },
  blackAlpha: { 500: { value: "rgb(8 14 17 / 0.55)" } },
};

/**
 * Semantic colours. `gray` is Chakra's name for the neutral palette: here it is ink, because buttons and
 * selection carry no hue. `red` is the destructive palette.
 */
export const colors = {
  bg: {
    DEFAULT: token(PALETTE.canvas),
    canvas: token(PALETTE.canvas),
    panel: token(PALETTE.panel),
    sunk: token(PALETTE.sunk),
    subtle: token(PALETTE.sunk),
    muted: token(PALETTE.sunk),
    emphasized: token(PALETTE.border),
    inverted: token(PALETTE.fg),
    error: token(PALETTE.p1Tint),
    warning: token(PALETTE.p2Tint),
    success: token(PALETTE.sunk),
    info: token(PALETTE.sunk),
  },
  fg: {
    DEFAULT: token(PALETTE.fg),
    muted: token(PALETTE.fgMuted),
    subtle: token(PALETTE.fgSubtle),
    inverted: token(PALETTE.panel),
    error: token(PALETTE.p1),
    warning: token(PALETTE.p2),
    success: token(PALETTE.fg),
    info: token(PALETTE.fgMuted),
  },
  border: {
    DEFAULT: token(PALETTE.border),
    muted: token(PALETTE.border),
    subtle: token(PALETTE.sunk),
    emphasized: token(PALETTE.borderStrong),
    strong: token(PALETTE.borderStrong),
    inverted: token(PALETTE.fg),
    error: token(PALETTE.p1),
  },
  alarm: { p1: alarm("p1"), p2: alarm("p2"), p3: alarm("p3") },
  earth: { DEFAULT: token(PALETTE.earth), sunk: token(PALETTE.earthSunk) },
  flow: { DEFAULT: token(PALETTE.flow), tint: token(PALETTE.flowTint) },
  series: {
    teal: token(PALETTE.seriesTeal),
    olive: token(PALETTE.seriesOlive),
    brown: token(PALETTE.seriesBrown),
    slate: token(PALETTE.seriesSlate),
    plum: token(PALETTE.seriesPlum),
    blue: token(PALETTE.seriesBlue),
  },
  gray: {
    contrast: token(PALETTE.panel),
    fg: token(PALETTE.fg),
    subtle: token(PALETTE.sunk),
    muted: token(PALETTE.border),
    emphasized: token(PALETTE.borderStrong),
    solid: token(PALETTE.fg),
    focusRing: token(PALETTE.fg),
    border: token(PALETTE.borderStrong),
  },
  red: {
    contrast: token(PALETTE.p1OnSolid),
    fg: token(PALETTE.p1),
    subtle: token(PALETTE.p1Tint),
    muted: token(PALETTE.p1Tint),
    emphasized: token(PALETTE.p1),
    solid: token(PALETTE.p1Solid),
    focusRing: token(PALETTE.fg),
    border: token(PALETTE.p1),
  },
};
