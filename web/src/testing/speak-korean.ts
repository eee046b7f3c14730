import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import app from "../i18n/locales/ko/app.json" with { type: "json" };

/** Load the Korean translations of components, without a browser for language detection. */
export async function speakKorean(): Promise<void> {
  if (i18next.isInitialized) {
    // Files that share a worker share the translator, and another one may have changed the language.
    for (const [namespace, texts] of Object.entries(app)) i18next.addResourceBundle("ko", namespace, texts);
    await i18next.changeLanguage("ko");
    return;
  }
  await i18next.use(initReactI18next).init({
    lng: "ko",
    defaultNS: "common",
    resources: { ko: app },
    interpolation: { escapeValue: false },
  });
}
