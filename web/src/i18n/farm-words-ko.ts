import type { ResourceLanguage } from "i18next";

/** Translations of the farmer's other pages, by path of their file. */
export const farmWords = import.meta.glob<ResourceLanguage[string]>(
  [
    "./locales/ko/*.json",
    "!./locales/*/{common,dashboard,shell,weather}.json",
    "!./locales/*/{admin*,displays,fleet,morning,wall}.json",
  ],
  { eager: true, import: "default" },
);
