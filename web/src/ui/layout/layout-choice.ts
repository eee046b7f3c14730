import { useSyncExternalStore } from "react";

/** Local storage key of what this browser's person chose. */
export const LAYOUT_KEY = "mulkko.layout";

/** What can be chosen of the frame around every page on a desktop; the first of each is the default. */
export const LAYOUT_CHOICES = {
  /** How wide a page gets on a large screen. */
  width: ["fluid", "boxed"],
  /** Whether the top bar stays while the page scrolls. */
  header: ["fixed", "scrollable"],
  /** Words under the icons, beside them, or none. */
  sidebar: ["compact", "wide", "icon"],
  sidebarTheme: ["ink", "panel", "earth"],
  topbar: ["panel", "ink"],
} as const;

export type Layout = {
  readonly [Part in keyof typeof LAYOUT_CHOICES]: (typeof LAYOUT_CHOICES)[Part][number];
};

export const DEFAULT_LAYOUT: Layout = {
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

/** Reads what is stored, part by part: what nobody knows any more is as if nobody had chosen. */
export function readLayout(stored: string | null): Layout {
  let value: unknown;
  try {
    value = JSON.parse(stored ?? "null");
  } catch {
    return DEFAULT_LAYOUT;
  }
  if (!isRecord(value)) return DEFAULT_LAYOUT;
  return {
    width: known(LAYOUT_CHOICES.width, value.width),
    header: known(LAYOUT_CHOICES.header, value.header),
    sidebar: known(LAYOUT_CHOICES.sidebar, value.sidebar),
    sidebarTheme: known(LAYOUT_CHOICES.sidebarTheme, value.sidebarTheme),
    topbar: known(LAYOUT_CHOICES.topbar, value.topbar),
  };
}

const listeners = new Set<() => void>();
let last: { readonly stored: string | null; readonly layout: Layout } | null = null;

/** The same object as long as nothing else is stored. */
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

/** The layout of this browser, followed over its tabs, and the way to change a part of it; null takes all back. */
export function useLayout(): { layout: Layout; choose: (change: Partial<Layout> | null) => void } {
  const layout = useSyncExternalStore(subscribe, current);
  return { layout, choose: chooseLayout };
}

function chooseLayout(change: Partial<Layout> | null): void {
  if (change === null) localStorage.removeItem(LAYOUT_KEY);
  else localStorage.setItem(LAYOUT_KEY, JSON.stringify({ ...current(), ...change }));
  tell();
}
