/** A colour for light and for dark mode. */
export interface Pair {
  readonly light: string;
  readonly dark: string;
}

const pair = (light: string, dark: string): Pair => ({ light, dark });

/** The product's palette. Colour marks the abnormal, except blue, which marks flowing water. */
export const PALETTE = {
  canvas: pair("#EEF1F2", "#0E1214"),
  panel: pair("#FFFFFF", "#171C1F"),
  sunk: pair("#E3E8EA", "#20272B"),
  fg: pair("#14191C", "#E6EBED"),
  fgMuted: pair("#475258", "#AFBAC0"),
  fgSubtle: pair("#5C686F", "#8F9BA2"),
  // Background of an earth-coloured side menu, equal in both modes; its text is dark-mode text.
  earth: pair("#2F3D27", "#2F3D27"),
  earthSunk: pair("#38472F", "#38472F"),
  border: pair("#C9D1D5", "#333D43"),
  borderStrong: pair("#76838A", "#6B7880"),
  p1: pair("#B3141B", "#FF6B63"),
  p1Tint: pair("#FBE4E4", "#3A1416"),
  p1Solid: pair("#C4161C", "#FF6B63"),
  p1OnSolid: pair("#FFFFFF", "#14191C"),
  p2: pair("#9A4A00", "#FFA53A"),
  p2Tint: pair("#FFEBD2", "#37230A"),
  p2Solid: pair("#F28C1B", "#FFA53A"),
  p2OnSolid: pair("#14191C", "#14191C"),
  p3: pair("#735700", "#FFDA57"),
  p3Tint: pair("#FFF6CC", "#332A08"),
  p3Solid: pair("#FFD43B", "#FFDA57"),
  p3OnSolid: pair("#14191C", "#14191C"),
  flow: pair("#155FA0", "#6CB4F7"),
  flowTint: pair("#DFECF8", "#10283D"),
  seriesTeal: pair("#0F7672", "#4CC2BB"),
  seriesOlive: pair("#4A731D", "#9CC65A"),
  seriesBrown: pair("#80592F", "#CBA57E"),
  seriesSlate: pair("#55636B", "#A3B1B9"),
  seriesPlum: pair("#924880", "#DB93C8"),
  seriesBlue: pair("#2B66AC", "#74B4F5"),
} as const satisfies Record<string, Pair>;
