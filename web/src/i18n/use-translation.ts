import i18next, { type i18n, type Namespace } from "i18next";
import { createContext, createElement, type ReactNode, useContext, useMemo } from "react";
import { useTranslation as useFollowedTranslation } from "react-i18next";

/** The translator in its current language: a new object after a change of language. */
const WordsContext = createContext<i18n | null>(null);

/** Re-render its children when the language changes. */
export function WordsProvider({ children }: { children: ReactNode }) {
  const { i18n } = useFollowedTranslation();
  return createElement(WordsContext, { value: i18n }, children);
}

/**
 * Return the translations of one or more namespaces; a key without a namespace belongs to the first one.
 * react-i18next's hook follows the language in every component, which costs a tenth of a page's first second.
 * Here one provider follows it for all.
 */
export function useTranslation<const N extends Namespace>(names: N) {
  const translator = useContext(WordsContext) ?? i18next;
  const list = String(names);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list of names is another object at each render
  return useMemo(() => {
    return { t: translator.getFixedT<N>(translator.language, names), i18n: translator };
  }, [translator, list]);
}
