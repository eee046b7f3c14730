import type { ResourceLanguage } from "i18next";

/** Translations of the administrators' pages and of the wall, by path of their file. */
export const deskWords = import.meta.glob<ResourceLanguage[string]>(
  "./locales/ko/{admin*,displays,fleet,morning,wall}.json",
  { eager: true, import: "default" },
);
