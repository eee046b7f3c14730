/** Colours of the embedded map. Land is warm, so that grey markers stand out; no colour is saturated. */
export interface MapColors {
  readonly sea: string;
  readonly land: string;
  readonly coast: string;
  readonly border: string;
  readonly province: string;
  readonly name: string;
  readonly townName: string;
  /** Outline of labels, which keeps them readable over lines. */
  readonly halo: string;
}

const LIGHT: MapColors = {
  sea: "#DCE4E7",
  land: "#F4F4EF",
  coast: "#B4C1C8",
  border: "#7F8C93",
  province: "#BBC4C6",
  name: "#475258",
  townName: "#5C686F",
  halo: "#F4F4EF",
};

const DARK: MapColors = {
  sea: "#0B0F11",
  land: "#1B2124",
  coast: "#3A464C",
  border: "#66737A",
  province: "#39444A",
  name: "#AFBAC0",
  townName: "#8F9BA2",
  halo: "#1B2124",
};

export const mapColors = (dark: boolean): MapColors => (dark ? DARK : LIGHT);

/** Colours of markers: the page's tokens, resolved for a canvas. */
export interface MarkColors {
  readonly ink: string;
  readonly panel: string;
  readonly muted: string;
  readonly subtle: string;
  readonly strong: string;
  /** Fill and text of an alarm's badge, by priority. */
  readonly alarms: Readonly<Record<1 | 2 | 3, { readonly solid: string; readonly text: string }>>;
  readonly font: string;
}

/** Read the tokens as they are on an element now. Call again when the colour mode changes. */
export function readMarkColors(element: Element): MarkColors {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(`--mk-colors-${name}`).trim();
  const alarm = (priority: 1 | 2 | 3) => ({
    solid: read(`alarm-p${priority}-solid`),
    text: read(`alarm-p${priority}-contrast`),
  });
  return {
    ink: read("fg"),
    panel: read("bg-panel"),
    muted: read("fg-muted"),
    subtle: read("fg-subtle"),
    strong: read("border-strong"),
    alarms: { 1: alarm(1), 2: alarm(2), 3: alarm(3) },
    font: style.fontFamily,
  };
}
