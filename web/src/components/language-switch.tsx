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

/** "中文" as a drawing: a browser without Chinese fonts shows boxes, and ours load with the language. */
function ChineseWord() {
  return (
    <>
      <svg width="2.1em" height="1.05em" viewBox="0 0 48 24" fill="none" stroke="currentColor" aria-hidden>
        <path
          strokeWidth="2"
          d="M4 7h16v9H4zM12 2v20M36 2v4M27 7h18M42 7.5C40 14 35 19 27 22M30 7.5C32 14 37 19 45 22"
        />
      </svg>
      <span className="visually-hidden">中文</span>
    </>
  );
}

const CHOICES = LANGUAGE_CHOICES.map((choice) =>
  choice.value === "zh" ? { ...choice, label: <ChineseWord /> } : choice,
);

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
      choices={CHOICES}
      onChoose={choose}
    />
  );
}
