/** A size per surface, CSS px. On a wall every size is multiplied by the screen's factor `--wall-k`. */
const size = (desktop: number, phone: number, wall: number) => ({
  value: {
    base: `${desktop / 16}rem`,
    _phone: `${phone / 16}rem`,
    _wall: `calc(${wall}px * var(--wall-k, 1))`,
  },
});

/** Reading sizes first: they are the product's main content. */
export const fontSizes = {
  caption: size(12, 13, 32),
  body: size(14, 16, 40),
  label: size(13, 15, 36),
  title: size(18, 18, 48),
  heading: size(22, 22, 56),
  reading: size(28, 32, 76),
  hero: size(40, 48, 120),
  // Names that Chakra's recipes use.
  xs: size(12, 13, 32),
  sm: size(14, 15, 40),
  md: size(15, 16, 40),
  lg: size(18, 18, 48),
  xl: size(22, 22, 56),
};

export const fontWeights = {
  normal: { value: "400" },
  medium: { value: "500" },
  semibold: { value: "600" },
  bold: { value: "700" },
};

/**
 * The product's own fonts, then system fonts. System fonts for Hangul and Han are named: otherwise a browser
 * on Linux asks another process about each missing character and blocks the page meanwhile.
 */
const text = [
  "'Pretendard Variable'",
  "'Noto Sans SC Variable'",
  "system-ui",
  "'Apple SD Gothic Neo'",
  "'Malgun Gothic'",
  "'Noto Sans KR'",
  "'Noto Sans CJK KR'",
  "sans-serif",
].join(", ");

export const fonts = {
  body: { value: text },
  heading: { value: text },
  mono: { value: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" },
};

export const textStyles = {
  caption: { value: { fontSize: "caption", lineHeight: "1.4" } },
  label: { value: { fontSize: "label", lineHeight: "1.35", fontWeight: "500" } },
  body: { value: { fontSize: "body", lineHeight: "1.55" } },
  title: { value: { fontSize: "title", lineHeight: "1.35", fontWeight: "600" } },
  heading: { value: { fontSize: "heading", lineHeight: "1.3", fontWeight: "650", letterSpacing: "-0.01em" } },
  reading: { value: { fontSize: "reading", lineHeight: "1.05", fontWeight: "600" } },
  hero: { value: { fontSize: "hero", lineHeight: "1.05", fontWeight: "600" } },
  xs: { value: { fontSize: "xs", lineHeight: "1.4" } },
  sm: { value: { fontSize: "sm", lineHeight: "1.5" } },
  md: { value: { fontSize: "md", lineHeight: "1.5" } },
  lg: { value: { fontSize: "lg", lineHeight: "1.35" } },
  xl: { value: { fontSize: "xl", lineHeight: "1.3" } },
  none: { value: {} },
};
