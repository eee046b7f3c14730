const STEPS = [
  0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 40, 48, 64,
];

/** Multiples of a 4 px base, named by their factor: `4` is 16 px. */
const steps = Object.fromEntries(STEPS.map((step) => [`${step}`, { value: `${step / 4}rem` }]));

export const spacing = steps;

export const sizes = {
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
  target: { value: "3rem" },
  valve: { value: "3.5rem" },
};

export const semanticSpacing = {
  card: { value: { base: "1rem", _wall: "1.5rem" } },
  page: { value: { base: "1.5rem", _phone: "1rem", _wall: "3rem" } },
};

const px = (value: number) => ({ value: `${value}px` });

export const radii = {
  none: px(0),
  xs: px(3),
  sm: px(5),
  md: px(8),
  lg: px(12),
  full: px(9999),
  card: px(8),
};

export const semanticRadii = {
  l1: { value: "{radii.sm}" },
  l2: { value: "{radii.md}" },
  l3: { value: "{radii.lg}" },
};

export const zIndex = {
  hide: { value: -1 },
  base: { value: 0 },
  docked: { value: 10 },
  dropdown: { value: 1000 },
  sticky: { value: 1100 },
  banner: { value: 1200 },
  overlay: { value: 1300 },
  modal: { value: 1400 },
  popover: { value: 1500 },
  skipNav: { value: 1600 },
  toast: { value: 1700 },
  tooltip: { value: 1800 },
};

export const durations = {
  faster: { value: "80ms" },
  fast: { value: "120ms" },
  moderate: { value: "160ms" },
  slow: { value: "240ms" },
  slower: { value: "320ms" },
};

export const easings = {
  "ease-in": { value: "cubic-bezier(0.42, 0, 1, 1)" },
  "ease-out": { value: "cubic-bezier(0, 0, 0.58, 1)" },
  "ease-in-out": { value: "cubic-bezier(0.42, 0, 0.58, 1)" },
};

export const cursor = {
  button: { value: "pointer" },
  checkbox: { value: "pointer" },
  disabled: { value: "not-allowed" },
  menuitem: { value: "pointer" },
  option: { value: "pointer" },
  radio: { value: "pointer" },
  slider: { value: "pointer" },
  switch: { value: "pointer" },
};

/** Overlays have a border and one soft shadow; panels in the page have no shadow. */
export const shadows = {
  xs: { value: "none" },
  sm: { value: "0 1px 2px rgb(10 20 25 / 0.12)" },
  md: {
    value: { base: "0 8px 28px rgb(10 20 25 / 0.14)", _dark: "0 8px 28px rgb(0 0 0 / 0.5)", _wall: "none" },
  },
  lg: {
    value: { base: "0 16px 48px rgb(10 20 25 / 0.2)", _dark: "0 16px 48px rgb(0 0 0 / 0.6)", _wall: "none" },
  },
  xl: {
    value: { base: "0 16px 48px rgb(10 20 25 / 0.2)", _dark: "0 16px 48px rgb(0 0 0 / 0.6)", _wall: "none" },
  },
  inset: { value: "none" },
};
