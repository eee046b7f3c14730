import { useSyncExternalStore } from "react";

/** Local storage key of this browser's layout choice. */
export const LAYOUT_KEY = "mulkko.layout";

/** Layout options of the desktop frame; the first of each is the default. */
export const LAYOUT_CHOICES = {
  /** Layout type: a menu beside the page, or above it. */
  type: ["vertical", "horizontal"],
  /** Page width on a large screen. */
  width: ["fluid", "boxed"],
  /** Top bar that stays or scrolls with the page. */
  header: ["fixed", "scrollable"],
  /** Labels under the icons, beside them, or none. */
  sidebar: ["compact", "wide", "icon"],
  sidebarTheme: ["ink", "panel", "earth"],
  topbar: ["panel", "ink"],
} as const;

export type Layout = {
  readonly [Part in keyof typeof LAYOUT_CHOICES]: (typeof LAYOUT_CHOICES)[Part][number];
};

export const DEFAULT_LAYOUT: Layout = {
  type: "vertical",
  width: "fluid",
  header: "fixed",
  sidebar: "compact",
  sidebarTheme: "ink",
  topbar: "panel",
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

const known = <Choice extends string>(choices: readonly [Choice, ...Choice[]], said: unknown): Choice =>
  choices.find((choice) => choice === said) ?? choices[0];

/** Parse the stored layout part by part; unknown values are ignored. */
export function readLayout(stored: string | null): Layout {
  let value: unknown;
  try {
    value = JSON.parse(stored ?? "null");
  } catch {
    return DEFAULT_LAYOUT;
  }
  if (!isRecord(value)) return DEFAULT_LAYOUT;
  return {
    type: known(LAYOUT_CHOICES.type, value.type),
    width: known(LAYOUT_CHOICES.width, value.width),
    header: known(LAYOUT_CHOICES.header, value.header),
    sidebar: known(LAYOUT_CHOICES.sidebar, value.sidebar),
    sidebarTheme: known(LAYOUT_CHOICES.sidebarTheme, value.sidebarTheme),
    topbar: known(LAYOUT_CHOICES.topbar, value.topbar),
  };
}

const listeners = new Set<() => void>();
let last: { readonly stored: string | null; readonly layout: Layout } | null = null;

/** Return the same object while the stored value is unchanged. */
function current(): Layout {
  const stored = localStorage.getItem(LAYOUT_KEY);
  if (last?.stored !== stored) last = { stored, layout: readLayout(stored) };
  return last.layout;
}

const tell = () => {
  for (const listener of listeners) listener();
};

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener("storage", tell);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", tell);
  };
}

/**
 * Return this browser's layout, followed across tabs, and a function that changes a part of it; null resets
 * all.
 */
export function useLayout(): { layout: Layout; choose: (change: Partial<Layout> | null) => void } {
  const layout = useSyncExternalStore(subscribe, current);
  return { layout, choose: chooseLayout };
}

function chooseLayout(change: Partial<Layout> | null): void {
  if (change === null) localStorage.removeItem(LAYOUT_KEY);
  else localStorage.setItem(LAYOUT_KEY, JSON.stringify({ ...current(), ...change }));
  tell();
}
