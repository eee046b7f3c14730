import { useSyncExternalStore } from "react";

/** The user's choice; `system` follows the device. */
export type ColorModeChoice = "light" | "dark" | "system";

/** Local storage key, read by the inline script of index.html before the first paint. */
export const COLOR_MODE_KEY = "mulkko.colorMode";

const listeners = new Set<() => void>();
const darkQuery = () => window.matchMedia("(prefers-color-scheme: dark)");

const readChoice = (): ColorModeChoice => {
  const stored = localStorage.getItem(COLOR_MODE_KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
};

/** Mode set by the wall's settings instead of the user; not stored here. */
let prescribed: "light" | "dark" | null = null;

const isDark = (): boolean => document.documentElement.classList.contains("dark");

function apply(): void {
  const choice = prescribed ?? readChoice();
  const dark = choice === "dark" || (choice === "system" && darkQuery().matches);
  document.documentElement.classList.toggle("dark", dark);
  document.documentElement.classList.toggle("light", !dark);
  for (const listener of listeners) listener();
}

/** Set while there are subscribers: each query is a separate list, so the same one must be unsubscribed. */
let followed: MediaQueryList | null = null;

function subscribe(listener: () => void): () => void {
  if (followed === null) {
    followed = darkQuery();
    followed.addEventListener("change", apply);
    window.addEventListener("storage", apply);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    followed?.removeEventListener("change", apply);
    followed = null;
    window.removeEventListener("storage", apply);
  };
}

/** Select and store a color mode. */
export function chooseColorMode(choice: ColorModeChoice): void {
  if (choice === "system") localStorage.removeItem(COLOR_MODE_KEY);
  else localStorage.setItem(COLOR_MODE_KEY, choice);
  apply();
}

/** Force a mode independent of this browser's choice. */
export function prescribeColorMode(mode: "light" | "dark"): void {
  prescribed = mode;
  apply();
}

/** Return the choice and the resolved mode; follows other tabs and the device's setting. */
export function useColorMode(): { choice: ColorModeChoice; dark: boolean } {
  const choice = useSyncExternalStore(subscribe, readChoice);
  const dark = useSyncExternalStore(subscribe, isDark);
  return { choice, dark };
}
