import { useEffect } from "react";
import type { SettingsCard } from "./use-settings-card.ts";

/** Tells the card around a form whether something unsaved stands in it; nothing does once it is gone. */
export function useTellChanged(onChanged: SettingsCard["onChanged"], form: string, changed: boolean): void {
  useEffect(() => {
    onChanged(form, changed);
    return () => onChanged(form, false);
  }, [onChanged, form, changed]);
}
