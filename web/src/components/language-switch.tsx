import { useTranslation } from "react-i18next";
import { type Language, languageOf } from "../i18n/language.ts";
import { chooseLanguage } from "../i18n/translations.ts";
import { ChoiceSegments } from "./choice.tsx";
import { toaster } from "./toaster.tsx";

/** In the order of the specification: Korean, English, Chinese, each in its own language. */
export const LANGUAGE_CHOICES: readonly { value: Language; label: string }[] = [
  { value: "ko", label: "한국어" },
  { value: "en", label: "English" },
  { value: "zh", label: "中文" },
];

/** Select the interface language. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation("common");
  const choose = (language: Language) => {
    chooseLanguage(language).catch(() => toaster.create({ type: "error", title: t("error.network") }));
  };
  return (
    <ChoiceSegments
      label={t("language.title")}
      value={languageOf(i18n.language) ?? "ko"}
      choices={LANGUAGE_CHOICES}
      onChoose={choose}
    />
  );
}
