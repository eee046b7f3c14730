import i18next, { type i18n, type Namespace } from "i18next";
import { createContext, createElement, type ReactNode, useContext, useMemo } from "react";
import { useTranslation as useFollowedTranslation } from "react-i18next";
import { rememberWords } from "./remember-words.ts";

/** The translator as it speaks now: another object once it speaks another language. */
const WordsContext = createContext<i18n | null>(null);

/** Draws the words within it anew when another language is spoken. */
export function WordsProvider({ children }: { children: ReactNode }) {
  const { i18n } = useFollowedTranslation();
  return createElement(WordsContext, { value: i18n }, children);
}

/**
 * The words of one or more namespaces; a key that names none is the first one's. react-i18next's hook of this name
 * follows the language in every component by itself, which costs a page's first second a tenth: here one provider
 * follows it for all.
 */
export function useTranslation<const N extends Namespace>(names: N) {
  const translator = useContext(WordsContext) ?? i18next;
  const list = String(names);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list of names is another object at each drawing
  return useMemo(() => {
    const t = translator.getFixedT<N>(translator.language, names);
    return { t: rememberWords(t, translator, list), i18n: translator };
  }, [translator, list]);
}
